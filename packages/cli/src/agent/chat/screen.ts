import { startWithin, widthOf } from "../../terminal/table.ts";

/** How wide and how clever the terminal is. */
interface Surface {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  /** Lines can be taken back. */
  readonly canErase: boolean;
}

/**
 * The one writer to the terminal. What was said stays; below it, a few live lines say what is going on and are erased before
 * anything else is written. While somebody else draws (a prompt, a question), what is to be said waits.
 */
export class Screen {
  readonly #surface: Surface;
  #live: readonly string[] = [];
  #isAtLineStart = true;
  #isBelowGap = true;
  #holds = 0;
  #waiting: (() => void)[] = [];

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** A piece that may end within a line. */
  text(text: string): void {
    if (text === "") return;
    this.#whenFree(() => {
      this.#put(text);
      this.#isAtLineStart = text.endsWith("\n");
      this.#isBelowGap = text.endsWith("\n\n");
    });
  }

  lines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#whenFree(() => {
      this.#put(`${this.#isAtLineStart ? "" : "\n"}${lines.join("\n")}\n`);
      this.#isAtLineStart = true;
      this.#isBelowGap = lines.at(-1) === "";
    });
  }

  endLine(): void {
    this.#whenFree(() => {
      if (!this.#isAtLineStart) this.#put("\n");
      this.#isAtLineStart = true;
    });
  }

  /** One empty line, unless there is one. */
  gap(): void {
    this.#whenFree(() => {
      if (this.#isBelowGap) return;
      this.#put(this.#isAtLineStart ? "\n" : "\n\n");
      this.#isAtLineStart = true;
      this.#isBelowGap = true;
    });
  }

  /** Replaces the live lines; each is cut to the width, as only lines of known height can be erased. */
  live(lines: readonly string[], style: (text: string) => string = (text) => text): void {
    if (this.#holds > 0 || !this.#isAtLineStart || !this.#surface.canErase) return;
    const fitting = lines.map((line) => cut(line, this.#surface.columns() - 1));
    const drawn = fitting.map(style).join("\n");
    this.#surface.write(`${this.#erasure()}${drawn}`);
    this.#live = fitting;
  }

  /** Somebody else draws, until `release`. They begin at the start of a line and leave the cursor at one. */
  hold(): void {
    this.live([]);
    if (this.#holds === 0) this.endLine();
    this.#holds += 1;
  }

  release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    this.#isBelowGap = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const write of waiting) write();
  }

  /** For who holds the screen. */
  draw(lines: readonly string[]): void {
    this.#surface.write(lines.map((line) => `${line}\n`).join(""));
  }

  #whenFree(write: () => void): void {
    if (this.#holds > 0) this.#waiting.push(write);
    else write();
  }

  #put(text: string): void {
    this.#surface.write(`${this.#erasure()}${text}`);
    this.#live = [];
  }

  #erasure(): string {
    const height = this.#live.length;
    return height === 0 ? "" : `\r${"\u001b[A".repeat(height - 1)}\u001b[J`;
  }
}

function cut(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : `${startWithin(line, columns - 1)}…`;
}
