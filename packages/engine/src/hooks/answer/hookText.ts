/**
 * Makes untrusted text safe in the model's context: it cannot open, close or forge the engine's own
 * marks, `<hook_context>` and `[System]`, in any spelling. Nothing else changes. Use it only for the model's copy.
 * Linear: a scan that begins at one bracket ends at the next.
 */
export function neutralise(text: string): string {
  let safe = "";
  let from = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const at = found.index;
    const kind = NOTE_BRACKETS.includes(found[0]) ? NOTE : TAG;
    const end = kind.endOf(text, at);
    if (end === undefined) continue;
    const isClosed = CLOSING.test(text[end - 1] ?? "");
    safe +=
      text.slice(from, at) + kind.open + text.slice(at + 1, isClosed ? end - 1 : end) + (isClosed ? kind.close : "");
    from = end;
    OPENING.lastIndex = end;
  }
  return from === 0 ? text : safe + text.slice(from);
}

/** A hook's context as the model receives it. */
export function wrapContext(text: string): string {
  return `<hook_context>${neutralise(text)}</hook_context>`;
}

/** A hook's message as the model receives it. */
export function systemNote(text: string): string {
  return `[System] ${neutralise(text)}`;
}

// Including lookalikes. The lookahead skips most brackets of ordinary text: nothing else can follow in a mark.
const NOTE_BRACKETS = "[\uff3b\u3010\u3014";
const OPENING = /[<\uff1c\ufe64\u2039\u3008\u27e8\u00ab[\uff3b\u3010\u3014](?=[hs/\s]|[^ -~])/gi;
const CLOSING = /[>\uff1e\]\uff3d\u3011\u3015]/;
const LONGEST_ATTRIBUTES = 100;

interface MarkKind {
  readonly open: string;
  readonly close: string;
  /** The index after the mark whose bracket is at `start`; undefined if there is none. */
  readonly endOf: (text: string, start: number) => number | undefined;
}

/** `<hook_context`, also with a slash, spaces, attributes or no end at all. */
const TAG: MarkKind = {
  open: "&lt;",
  close: "&gt;",
  endOf(text, start) {
    const hook = wordEnd(text, skip(text, start + 1, /[\s/]/), "hook");
    const name = hook === undefined ? undefined : wordEnd(text, skip(text, hook, /[\s\p{Pc}\p{Pd}]/u), "context");
    if (name === undefined) return undefined;
    const attributes = text.slice(name, name + LONGEST_ATTRIBUTES).search(/[<>\uff1e]/);
    const end = name + attributes;
    return attributes === -1 || text[end] === "<" ? name : end + 1;
  },
};

/** `[System]`, unless it is an index in code: `names[System]`. */
const NOTE: MarkKind = {
  open: "(",
  close: ")",
  endOf(text, start) {
    if (/[\p{L}\p{N}_)\]]/u.test(text[start - 1] ?? "")) return undefined;
    const name = wordEnd(text, skip(text, start + 1, /\s/), "system");
    const end = name === undefined ? undefined : skip(text, name, /\s/);
    return end !== undefined && CLOSING.test(text[end] ?? "") ? end + 1 : undefined;
  },
};

/** Characters that a reader does not see: format and control characters, combining marks, Hangul fillers. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\uffa0]/u;

/** Letters of other scripts that look like letters of the marks. */
const LOOKALIKES = new Map<string, string>(
  Object.entries({
    c: "\u0441\u03f2",
    e: "\u0435",
    h: "\u04bb\u0570",
    k: "\u043a\u03ba",
    m: "\u043c",
    o: "\u043e\u03bf\u0585",
    s: "\u0455",
    t: "\u0442\u03c4",
    x: "\u0445\u03c7",
    y: "\u0443\u04af",
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
);

function wordEnd(text: string, from: number, word: string): number | undefined {
  let at = from;
  for (const letter of word) {
    at = skip(text, at);
    const char = charAt(text, at);
    if (letterOf(char) !== letter) return undefined;
    at += char.length;
  }
  return at;
}

/** Maps full-width, mathematical and accented forms to their letter. */
function letterOf(char: string): string {
  const lower = char.toLowerCase();
  return LOOKALIKES.get(lower) ?? charAt(lower.normalize("NFKD"), 0).toLowerCase();
}

/** Skips invisible characters, and those that match `also`. */
function skip(text: string, from: number, also?: RegExp): number {
  let at = from;
  for (let char = charAt(text, at); char !== "" && (also?.test(char) || UNSEEN.test(char)); char = charAt(text, at)) {
    at += char.length;
  }
  return at;
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
