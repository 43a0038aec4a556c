import { appendFileSync, chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeUserFolder, readOwnFile } from "@hookline/journal/program";

export const MOST_PROMPTS = 500;
const MOST_BYTES = 64 * 1024 ** 2;

/** The prompts of this chat and of earlier ones, latest first. */
export class PromptHistory {
  readonly #homeDir: string;
  readonly #file: string;
  #prompts: readonly string[];

  constructor(homeDir: string) {
    this.#homeDir = homeDir;
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
    unlessUnusable(() => makeUserFolder(this.#homeDir));
    const lines = unlessUnusable(() => readOwnFile(this.#file, MOST_BYTES).split("\n").filter(Boolean)) ?? [];
    const kept = lines.slice(-MOST_PROMPTS);
    if (lines.length > 0) unlessUnusable(() => chmodSync(this.#file, 0o600));
    if (kept.length < lines.length) unlessUnusable(() => writeFileSync(this.#file, `${kept.join("\n")}\n`));
    return kept.map(fromLine).reverse();
  }
}

/** Ignores errors of the history file: the chat works without it. */
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
