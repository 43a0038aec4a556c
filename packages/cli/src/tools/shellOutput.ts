import { headOf, tailOf } from "../terminal/cutText.ts";

const HEAD_CHARS = 20_000;
const TAIL_CHARS = 10_000;
const MAX_STREAMED_CHARS = 1_000_000;

/** The output of a command in order of arrival: keeps the beginning and the end. */
export class ShellOutput {
  readonly #stream: ((text: string) => void) | undefined;
  #head = "";
  #tail = "";
  #length = 0;

  constructor(stream: ((text: string) => void) | undefined) {
    this.#stream = stream;
  }

  add(text: string): void {
    this.#streamOut(text);
    this.#length += text.length;
    const room = HEAD_CHARS - this.#head.length;
    const first = this.#tail === "" ? headOf(text, Math.max(0, room)) : "";
    this.#head += first;
    if (first.length < text.length) this.#tail = tailOf(this.#tail + text.slice(first.length), TAIL_CHARS);
  }

  text(): string {
    const left = this.#length - this.#head.length - this.#tail.length;
    if (left <= 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${left} characters of the output are omitted …]\n${this.#tail}`;
  }

  // Stop streaming at a limit: endless output must not fill the memory of the listener.
  #streamOut(text: string): void {
    const room = MAX_STREAMED_CHARS - this.#length;
    if (room <= 0) return;
    this.#stream?.(headOf(text, room));
    if (text.length >= room) this.#stream?.("\n[more output is not shown while the command runs]\n");
  }
}
