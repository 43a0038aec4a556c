// Control and format characters (direction, zero width), line separators other than the line feed, invisible or blank characters,
// lone surrogates: with these, text from a repository could forge the screen. Emoji need FE00 to FE0F.
const UNSEEN = /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Untrusted text on one line, with all characters escaped that act on a terminal. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** The same for several lines; tabs become spaces. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => visible(line.replaceAll("\t", "    ")));
}

/** One line of at most `length` characters. */
export function shortened(text: string, length: number): string {
  const characters = [...visible(text)];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}

/** JSON for users and programs: the same value, but safe for a terminal. */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2));
}

/** The same for text that reads `\u202e` as an escape: JSON, and strings of YAML in double quotes. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (char) => (char === "\n" ? char : unicodeEscapes(char)));
}

/** The same on one line. */
export function visibleJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, unicodeEscapes);
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e" };

function escaped(char: string): string {
  return NAMED[char] ?? unicodeEscapes(char);
}

function unicodeEscapes(char: string): string {
  return char.split("").reduce((text, unit) => `${text}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`, "");
}
