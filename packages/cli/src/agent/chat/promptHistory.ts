import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const MOST_PROMPTS = 500;

/** What was typed, in this chat and in earlier ones: the latest first. */
export class PromptHistory {
  readonly #file: string;
  #prompts: readonly string[];

  constructor(homeDir: string) {
    this.#file = join(homeDir, ".hookline", "chat_history");
    this.#prompts = this.#read();
  }

  get prompts(): readonly string[] {
    return this.#prompts;
  }

  add(prompt: string): void {
    if (prompt === this.#prompts[0]) return;
    this.#prompts = [prompt, ...this.#prompts].slice(0, MOST_PROMPTS);
    unlessUnusable(() => appendFileSync(this.#file, `${toLine(prompt)}\n`, { mode: 0o600 }));
  }

  #read(): readonly string[] {
    unlessUnusable(() => mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 }));
    const lines = unlessUnusable(() => readFileSync(this.#file, "utf8").split("\n").filter(Boolean)) ?? [];
    const kept = lines.slice(-MOST_PROMPTS);
    if (lines.length > 0) unlessUnusable(() => chmodSync(this.#file, 0o600));
    if (kept.length < lines.length) unlessUnusable(() => writeFileSync(this.#file, `${kept.join("\n")}\n`));
    return kept.map(fromLine).reverse();
  }
}

/** A history that cannot be read or written is no reason not to talk. */
function unlessUnusable<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

function toLine(prompt: string): string {
  return prompt.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function fromLine(line: string): string {
  return line.replace(/\\([\\n])/g, (_, char: string) => (char === "n" ? "\n" : "\\"));
}
