/** A text for people, and the line that it begins at. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

/** Words of other people's riddles: the sentence should name who acts, or say "is not a". "There is no x" is fine. */
const BAD_HABITS = /\b(?:nobody|whoever|somebody)\b|(?<!\bthere )\b(?:is|are) no (?!longer\b)|\bbe no /gi;

/** Every bad habit in these texts, as `line: words`. */
export function badHabitsIn(texts: readonly Prose[]): readonly string[] {
  return texts.flatMap(({ line, text }) =>
    [...text.matchAll(BAD_HABITS)].map(({ index, 0: words }) => `${line + lineOf(text, index) - 1}: ${words.trim()}`),
  );
}

/** The page with code emptied, so that lines keep their numbers. Titles of tests in double quotes stay. */
export function proseOfPage(markdown: string): readonly Prose[] {
  return [{ line: 1, text: withoutCode(markdown.replace(/^```[\s\S]*?^```$/gm, emptied)) }];
}

/** All of a file in a language where prose has no marks of its own: a shell or Python script, YAML, settings. */
export function proseOfScript(text: string): readonly Prose[] {
  return [{ line: 1, text }];
}

/** The comments, the strings and the literal parts of templates in a source of JavaScript, TypeScript or C; not values of one word, such as "nobody". */
export function proseOfSource(source: string): readonly Prose[] {
  return new Scanner(source).scan();
}

const emptied = (code: string) => code.replace(/[^\n]/g, "");
const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, emptied);
const lineOf = (text: string, index: number) => text.slice(0, index).split("\n").length;

/** After one of these, a slash begins a regular expression; after anything else, it divides. */
const BEFORE_EXPRESSION = /(?:^|[([{,;:?=!&|+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|yield|await))\s*$/;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/y;
const TOKENS: readonly RegExp[] = [/\/\/.*/y, /\/\*[\s\S]*?\*\//y, /"(?:\\.|[^"\\\n])*"/y, /'(?:\\.|[^'\\\n])*'/y];
const TEMPLATE_PART = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

class Scanner {
  readonly #source: string;
  readonly #found: Prose[] = [];
  /** The code since the last token, to tell a regular expression from a division. */
  #code = "";
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): readonly Prose[] {
    this.#scanCode();
    if (this.#at < this.#source.length) throw new Error(`Line ${this.#line()} has a brace too many`);
    return this.#found;
  }

  /** Up to the end, or to the brace that closes a part of a template. */
  #scanCode(): void {
    for (let depth = 0; this.#at < this.#source.length; ) {
      const char = this.#source[this.#at];
      if (char === "}" && depth === 0) return;
      if (this.#skipToken()) continue;
      if (char === "`") {
        this.#scanTemplate();
        continue;
      }
      if (char === '"' || char === "'") throw new Error(`The string at line ${this.#line()} has no end`);
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      this.#code += char;
      this.#at += 1;
    }
  }

  #skipToken(): boolean {
    const isExpression = this.#source[this.#at] === "/" && BEFORE_EXPRESSION.test(this.#code);
    for (const token of TOKENS) {
      const text = this.#match(token);
      if (text === undefined) continue;
      this.#keep(text, text.startsWith("/"));
      this.#at += text.length;
      if (!text.startsWith("/")) this.#code = "literal";
      return true;
    }
    const expression = isExpression ? this.#match(EXPRESSION) : undefined;
    if (expression === undefined) return false;
    this.#at += expression.length;
    this.#code = "literal";
    return true;
  }

  #scanTemplate(): void {
    for (this.#at += 1; ; this.#at += 1) {
      const text = this.#match(TEMPLATE_PART) ?? "";
      this.#keep(text);
      this.#at += text.length;
      if (this.#at >= this.#source.length) throw new Error("A template has no end");
      if (this.#source[this.#at] === "`") break;
      this.#at += 2;
      this.#code = "(";
      this.#scanCode();
    }
    this.#at += 1;
    this.#code = "literal";
  }

  #keep(text: string, isComment = false): void {
    if (/\s/.test(text)) this.#found.push({ line: this.#line(), text: isComment ? withoutCode(text) : text });
  }

  #match(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    return token.exec(this.#source)?.[0];
  }

  #line(): number {
    return lineOf(this.#source, this.#at);
  }
}
