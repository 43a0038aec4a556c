/** The members that make an object an objection, or explain it. Nothing else of a scanned object is kept. */
export const KEPT_KEYS = [
  "decision",
  "permissionDecision",
  "continue",
  "code",
  "reason",
  "permissionDecisionReason",
  "stopReason",
  "kind",
  "severity",
  "payload",
  "require_human",
] as const;

export type KeptKey = (typeof KEPT_KEYS)[number];
/** One object at any depth, reduced to the members of an objection. */
export type KeptMembers = { [Key in KeptKey]?: unknown };

const isKept = (key: string): key is KeptKey => KEPT.has(key);
const KEPT: ReadonlySet<string> = new Set(KEPT_KEYS);
/** No kept key is longer, even with every character escaped. */
const LONGEST_KEY = 6 * Math.max(...KEPT_KEYS.map((key) => key.length));

/** The position of a complete top-level object in the text. */
export interface Root {
  readonly start: number;
  readonly end: number;
  /** The number of `key: value` pairs at all depths. */
  readonly pairs: number;
}

export interface Findings {
  /** Every object that may object, complete or incomplete, in the order in which they ended. */
  readonly objects: KeptMembers[];
  readonly roots: Root[];
}

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON] = [9, 10, 13, 32, 34, 44, 58];
const [OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, CLOSE_BRACE] = [91, 92, 93, 125];
export const OPEN_BRACE = 123;

/**
 * Reads one object of a text, character by character, from its `{` to its end or to the first invalid
 * character. Accepts raw control characters, unknown escapes, trailing commas and words such as NaN.
 */
export class ObjectTrack {
  readonly #text: string;
  readonly #findings: Findings;
  // One entry per open bracket. Parallel lists: a megabyte of brackets must not become a million objects.
  readonly #inObject: boolean[] = [];
  readonly #keys: (KeptKey | undefined)[] = [];
  readonly #members: (KeptMembers | undefined)[] = [];
  #expects: "key" | "colon" | "value" | "comma" = "key";
  #rootStart = 0;
  #pairs = 0;
  #stringStart = -1;
  #wordStart = -1;
  #isEscaped = false;

  constructor(text: string, findings: Findings) {
    this.#text = text;
    this.#findings = findings;
  }

  get isIdle(): boolean {
    return this.#inObject.length === 0;
  }

  /** Whether it has an open object and is not inside a string: it then reads a `{` here as structure. */
  get readsStructure(): boolean {
    return this.#inObject.length > 0 && this.#stringStart < 0;
  }

  begin(at: number): void {
    this.#rootStart = at;
    this.#pairs = 0;
    this.#open(true);
  }

  feed(code: number, at: number): void {
    if (this.isIdle) return;
    if (this.#stringStart >= 0) this.#feedString(code, at);
    else this.#feedStructure(code, at);
  }

  /** The text ends here: open objects are incomplete. */
  finish(): void {
    if (this.isIdle) return;
    const key = this.#keys.at(-1);
    if (this.#stringStart >= 0 && this.#expects === "value" && key) {
      this.#keep(key, decode(this.#text.slice(this.#stringStart + 1)));
    } else if (this.#wordStart >= 0) this.#endWord(this.#text.length);
    this.#giveUp();
  }

  #feedString(code: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#endString(at);
  }

  #feedStructure(code: number, at: number): void {
    if (isWordCharacter(code)) {
      if (this.#wordStart >= 0) return;
      if (this.#expects === "value") this.#wordStart = at;
      else this.#giveUp();
      return;
    }
    if (this.#wordStart >= 0) this.#endWord(at);
    const expects = this.#expects;
    switch (code) {
      case SPACE:
      case LINE_FEED:
      case RETURN:
      case TAB:
        return;
      case QUOTE:
        if (expects === "key" || expects === "value") this.#stringStart = at;
        else this.#giveUp();
        return;
      case COLON:
        if (expects === "colon") this.#expects = "value";
        else this.#giveUp();
        return;
      case COMMA:
        if (expects === "comma") this.#expects = this.#inObject.at(-1) ? "key" : "value";
        else this.#giveUp();
        return;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (expects === "value") this.#open(code === OPEN_BRACE);
        else this.#giveUp();
        return;
      case CLOSE_BRACE:
        if (this.#inObject.at(-1) && (expects === "key" || expects === "comma")) this.#close(at);
        else this.#giveUp();
        return;
      case CLOSE_BRACKET:
        if (!this.#inObject.at(-1) && (expects === "value" || expects === "comma")) this.#close(at);
        else this.#giveUp();
        return;
      default:
        this.#giveUp();
    }
  }

  #open(isObject: boolean): void {
    this.#inObject.push(isObject);
    this.#keys.push(undefined);
    this.#members.push(undefined);
    this.#expects = isObject ? "key" : "value";
  }

  #close(at: number): void {
    this.#pop();
    this.#expects = "comma";
    if (this.isIdle) this.#findings.roots.push({ start: this.#rootStart, end: at + 1, pairs: this.#pairs });
  }

  #pop(): void {
    this.#inObject.pop();
    this.#keys.pop();
    const members = this.#members.pop();
    if (members === undefined) return;
    if (mayObject(members)) this.#findings.objects.push(members);
    if (this.#keys.at(-1) === "payload") this.#keep("payload", members);
  }

  /** Keeps what was read before the invalid character. */
  #giveUp(): void {
    while (!this.isIdle) this.#pop();
    this.#stringStart = -1;
    this.#wordStart = -1;
    this.#isEscaped = false;
  }

  #endString(at: number): void {
    const start = this.#stringStart + 1;
    this.#stringStart = -1;
    if (this.#expects === "key") {
      this.#pairs += 1;
      const key = at - start > LONGEST_KEY ? "" : decode(this.#text.slice(start, at));
      this.#keys[this.#keys.length - 1] = isKept(key) ? key : undefined;
      this.#expects = "colon";
      return;
    }
    const key = this.#keys.at(-1);
    if (key) this.#keep(key, decode(this.#text.slice(start, at)));
    this.#expects = "comma";
  }

  #endWord(at: number): void {
    const key = this.#keys.at(-1);
    if (key) this.#keep(key, meaningOf(this.#text.slice(this.#wordStart, at)));
    this.#wordStart = -1;
    this.#expects = "comma";
  }

  #keep(key: KeptKey, value: unknown): void {
    const top = this.#members.length - 1;
    const members = this.#members[top] ?? {};
    this.#members[top] = members;
    // A repeated key: the earlier value counts as well.
    if (key in members && mayObject(members)) this.#findings.objects.push({ ...members });
    members[key] = value;
  }
}

/** Whether it has a member that can be an objection. */
export function mayObject(members: KeptMembers): boolean {
  return "decision" in members || "permissionDecision" in members || "continue" in members || "code" in members;
}

/** Letters, digits and `+ - . _`: enough for numbers, true, false, null, and their forms in other languages. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 95
  );
}

function meaningOf(word: string): unknown {
  const lower = word.length <= 5 ? word.toLowerCase() : word;
  if (lower === "true") return true;
  if (lower === "false") return false;
  return lower === "null" ? null : word;
}

/** Decodes a string leniently: an unknown escape means its character. */
function decode(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (ESCAPES.get(character) ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);
