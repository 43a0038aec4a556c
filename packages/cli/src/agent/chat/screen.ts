import { startWithin, widthOf } from "../../terminal/table.ts";

/** The width and the abilities of the terminal. */
interface Surface {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  /** The terminal can erase lines. */
  readonly canErase: boolean;
}

/**
 * The only writer to the terminal. Printed text stays; below it, a few live lines show the current activity and are erased before
 * the next output. While a prompt or a question draws, output waits.
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

  /** Prints a piece of text, which may end within a line. */
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

  /** Prints an empty line, unless there already is one. */
  gap(): void {
    this.#whenFree(() => {
      if (this.#isBelowGap) return;
      this.#put(this.#isAtLineStart ? "\n" : "\n\n");
      this.#isAtLineStart = true;
      this.#isBelowGap = true;
    });
  }

  /** Replaces the live lines. Cuts each to the width, because only lines of known height can be erased. */
  live(lines: readonly string[], style: (text: string) => string = (text) => text): void {
    if (this.#holds > 0 || !this.#isAtLineStart || !this.#surface.canErase) return;
    const fitting = lines.map((line) => cut(line, this.#surface.columns() - 1));
    const drawn = fitting.map(style).join("\n");
    this.#surface.write(`${this.#erasure()}${drawn}`);
    this.#live = fitting;
  }

  /** Lets another writer draw until `release`. It starts at the beginning of a line and must end there. */
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

  /** Draws lines while the screen is held. */
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
