/** The source of a JavaScript regular expression in RE2 syntax, or the feature that RE2 does not support. */
export type LinearSource =
  | { readonly kind: "source"; readonly source: string }
  | { readonly kind: "refused"; readonly why: string };

/** RE2 supports no larger repetition count, and a program of this size compiles in well under a second. */
const MAX_REPEAT = 1_000;
const MAX_PROGRAM = 50_000;

const SPACES = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACES =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const EVERYTHING = "\\x00-\\x{10ffff}";
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";

class Refused extends Error {}

/**
 * Translates a valid JavaScript expression (no flag but `i`) into RE2 syntax. The dialects share most spellings, but not their meaning:
 * `\A` and `[[:alpha:]]` are plain characters in JavaScript, so everything is spelled out.
 */
export function linearSource(pattern: string): LinearSource {
  try {
    return { kind: "source", source: new Translation(pattern).whole() };
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", why: error.message };
    throw error;
  }
}

class Translation {
  readonly #pattern: string;
  #at = 0;
  #repeats = 1;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): string {
    let source = "";
    while (this.#at < this.#pattern.length) source += this.#next();
    return source;
  }

  #next(): string {
    const char = this.#take();
    if (char === "\\") return this.#escape();
    if (char === "[") return this.#charClass();
    if (char === "(") return this.#group();
    if (char === "{") return this.#repetition();
    if (char === ".") return NO_LINE_END;
    return "^$*+?|)".includes(char) ? char : literal(char);
  }

  /** Captures are not used, so group names and numbers are dropped. */
  #group(): string {
    if (this.#takeMatch(/\?:|\?<(?![=!])[^>]*>/y) !== undefined || this.#peek() !== "?") return "(?:";
    throw new Refused(this.#takeMatch(/\?<?[=!]/y) ? "a look-ahead or look-behind" : "inline flags");
  }

  /** A brace that is not a repetition is a plain character. */
  #repetition(): string {
    const repeat = this.#takeMatch(/(\d+)(,(\d*))?\}/y);
    if (repeat === undefined) return "\\{";
    const most = Math.max(...repeat.split(/[,}]/).map(Number), 1);
    this.#repeats *= most;
    if (most > MAX_REPEAT || this.#repeats * this.#pattern.length > MAX_PROGRAM) throw new Refused("large repetitions");
    return `{${repeat}`;
  }

  #escape(): string {
    const char = this.#take();
    if ("dDwWbB".includes(char)) return `\\${char}`;
    if (char === "s") return `[${SPACES}]`;
    if (char === "S") return `[${NOT_SPACES}]`;
    if (/[1-9]/.test(char) || char === "k") throw new Refused("a backreference");
    return this.#character(char);
  }

  /** An escape that means the same inside and outside of a class. */
  #character(char: string): string {
    if ("fnrtv".includes(char)) return `\\${char}`;
    if (char === "c" || (/\d/.test(char) && !(char === "0" && !/\d/.test(this.#peek()))))
      throw new Refused("an octal or control escape");
    if (char === "0") return "\\x00";
    const hex =
      char === "x" ? this.#takeMatch(/[\da-f]{2}/iy) : char === "u" ? this.#takeMatch(/[\da-f]{4}/iy) : undefined;
    if (hex === undefined) return literal(char);
    if (/^d[89a-f]/i.test(hex) && hex.length === 4) throw new Refused("half of a surrogate pair");
    return `\\x{${hex}}`;
  }

  #charClass(): string {
    const isNegated = this.#takeMatch(/\^/y) !== undefined;
    let members = "";
    while (this.#peek() !== "]") {
      const first = this.#member();
      const isRange = this.#peek() === "-" && this.#pattern[this.#at + 1] !== "]";
      if (!isRange) members += first.source;
      else {
        this.#take();
        const last = this.#member();
        const joint = first.isSet || last.isSet ? "\\-" : "-";
        members += `${first.source}${joint}${last.source}`;
      }
    }
    this.#take();
    if (members === "") return isNegated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`;
    return `[${isNegated ? "^" : ""}${members}]`;
  }

  #member(): { readonly source: string; readonly isSet: boolean } {
    const char = this.#take();
    if (char !== "\\") return { source: literal(char), isSet: false };
    const escaped = this.#take();
    if ("dDwW".includes(escaped)) return { source: `\\${escaped}`, isSet: true };
    if (escaped === "s" || escaped === "S") return { source: escaped === "s" ? SPACES : NOT_SPACES, isSet: true };
    return { source: escaped === "b" ? "\\x08" : this.#character(escaped), isSet: false };
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? "";
  }

  /** Takes a whole code point: RE2 does not support surrogate halves. */
  #take(): string {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #takeMatch(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const [match] = sticky.exec(this.#pattern) ?? [];
    this.#at += match?.length ?? 0;
    return match;
  }
}

function literal(char: string): string {
  return /[\w\s]/.test(char) || char > "\x7f" ? char : `\\${char}`;
}
