// Control characters of both sets, what turns the direction of text, what has no width, and the separators of lines that
// are no line feeds: with these, text from a repository could forge what stands on the screen.
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** Text that somebody else wrote, on one line, with everything that acts on a terminal made visible. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** The same for text of several lines; tabs become spaces. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => visible(line.replaceAll("\t", "    ")));
}

/** One line of at most so many characters. */
export function shortened(text: string, length: number): string {
  const characters = [...visible(text)];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}

/** JSON for people and programs: still the same value, and harmless on a terminal. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSEEN, (char) => (char === "\n" ? char : unicodeEscapes(char)));
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
