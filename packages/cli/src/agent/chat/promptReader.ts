import { createInterface, type Interface } from "node:readline";
import type { Terminal } from "../../terminal/io.ts";
import type { Keyboard, KeyReader } from "./keyboard.ts";
import { MOST_PROMPTS } from "./promptHistory.ts";
import type { Screen } from "./screen.ts";

export type Typed =
  | { readonly kind: "prompt"; readonly text: string }
  /** Ctrl-D, or Ctrl-C twice. */
  | { readonly kind: "left" }
  /** A signal ended the program, or the terminal is gone. */
  | { readonly kind: "ended" };

export interface PromptOptions {
  readonly terminal: Terminal;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** Earlier prompts, latest first. */
  readonly history: readonly string[];
  /** Words that Tab completes. */
  readonly words: readonly string[];
  readonly style: (text: string) => string;
}

const LONGEST_HANGUP_MS = 1_000;
const PASTES = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/** Reads a prompt. A line that ends in a backslash continues in the next, and so does pasted text. */
export function readPrompt(options: PromptOptions): Promise<Typed> {
  return new Promise((resolve) => new PromptReader(options, resolve));
}

class PromptReader implements KeyReader {
  readonly #options: PromptOptions;
  readonly #resolve: (typed: Typed) => void;
  readonly #letGo: () => void;
  readonly #onAbort = () => this.#end({ kind: "ended" });
  #open: Interface | undefined;
  #linesBefore: readonly string[] = [];
  #draft = "";
  #isPasting = false;
  #hangup: NodeJS.Timeout | undefined;
  /** Ctrl-C was pressed on an empty prompt; a second Ctrl-C leaves. */
  #isLeaving = false;

  constructor(options: PromptOptions, resolve: (typed: Typed) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#letGo = options.keyboard.give(this);
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
  }

  resume(): void {
    const { terminal, screen, history, words } = this.#options;
    const { input, output } = terminal;
    screen.hold();
    output.write(PASTES.on);
    const open = createInterface({
      input,
      output,
      terminal: true,
      prompt: this.#prompt(),
      history: [...history],
      historySize: MOST_PROMPTS,
      escapeCodeTimeout: 50,
      completer: (line: string) => [line === "" ? [] : words.filter((word) => word.startsWith(line)), line],
    });
    this.#open = open;
    open.on("line", (line) => this.#addLine(open, line));
    open.on("SIGINT", () => this.#interrupted(open));
    open.on("close", () => this.#open === open && this.#closed());
    open.on("error", () => this.#hungUp());
    input.on("keypress", this.#onKey);
    open.prompt();
    if (this.#draft !== "") open.write(this.#draft);
  }

  /** Keeps the draft, which `resume` restores. */
  suspend(): void {
    const open = this.#open;
    if (!open) return;
    const { terminal, screen } = this.#options;
    this.#open = undefined;
    this.#draft = open.line;
    terminal.input.off("keypress", this.#onKey);
    open.close();
    terminal.output.write(`${PASTES.off}${this.#draft === "" ? "\r\u001b[K" : "\n"}`);
    screen.release();
  }

  readonly #onKey = (_: unknown, key: { readonly name?: string; readonly ctrl?: boolean }): void => {
    if (key.name === "paste-start") this.#isPasting = true;
    if (key.name === "paste-end") this.#isPasting = false;
    if (!(key.ctrl && key.name === "c")) this.#isLeaving = false;
  };

  #addLine(open: Interface, line: string): void {
    const goesOn = this.#isPasting || line.endsWith("\\");
    const text = line.endsWith("\\") && !this.#isPasting ? line.slice(0, -1) : line;
    this.#linesBefore = [...this.#linesBefore, text];
    if (goesOn) this.#promptAgain(open);
    else this.#end({ kind: "prompt", text: this.#linesBefore.join("\n").trimEnd() });
  }

  #interrupted(open: Interface): void {
    const { output } = this.#options.terminal;
    const isEmpty = open.line === "" && this.#linesBefore.length === 0;
    if (isEmpty && this.#isLeaving) {
      this.#end({ kind: "left" });
      return;
    }
    output.write(isEmpty ? "\n(Press Ctrl-C again or Ctrl-D to leave.)\n" : "\n");
    this.#isLeaving = isEmpty;
    this.#linesBefore = [];
    open.write(null, { ctrl: true, name: "e" });
    open.write(null, { ctrl: true, name: "u" });
    this.#promptAgain(open);
  }

  #promptAgain(open: Interface): void {
    open.setPrompt(this.#prompt());
    open.prompt();
  }

  /** Handles Ctrl-D, which closes the line reader, not the terminal. */
  #closed(): void {
    if (this.#options.terminal.input.readableEnded) this.#hungUp();
    else this.#end({ kind: "left" });
  }

  /** Waits, because usually the signal arrives and ends the program safely. */
  #hungUp(): void {
    this.#hangup = setTimeout(() => this.#end({ kind: "ended" }), LONGEST_HANGUP_MS);
  }

  #prompt(): string {
    return this.#options.style(this.#linesBefore.length === 0 ? "❯ " : "… ");
  }

  #end(typed: Typed): void {
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    clearTimeout(this.#hangup);
    this.#draft = "";
    this.#letGo();
    this.#resolve(typed);
  }
}
