import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Ended, type Files, Machine } from "../support/machine.ts";

/** A hook on BeforeTool: the tool it is for, and what it answers, or the shell that it runs; the input is in `$input`. */
export interface ToolHook {
  readonly tool: string;
  readonly name: string;
  readonly answers?: unknown;
  readonly runs?: string;
  readonly settings?: Files;
}

export function settingsOf(hooks: readonly ToolHook[]): Files {
  const definitions = hooks.map(({ tool, name, answers, runs = ":", settings }) => {
    const printed = answers === undefined ? "" : `; echo '${JSON.stringify(answers)}'`;
    const command = `input=$(cat); ${runs}${printed}`;
    return {
      matcher: `^${tool}$`,
      hooks: [{ type: "command", name, command, timeout: "60s", onError: "allow", ...settings }],
    };
  });
  return { hooks: { BeforeTool: definitions } };
}

/** A machine whose temporary files are its own, so that a test sees what is left of them. */
export class ReplayMachine extends Machine {
  readonly #temporary = join(this.dir, "tmp");

  constructor(files: Files) {
    super(files);
    mkdirSync(this.#temporary);
  }

  override env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { ...super.env(more), TMPDIR: this.#temporary };
  }

  /** Records one event. */
  async fire(tool: string, toolInput: unknown = { file_path: "a.txt" }): Promise<void> {
    const args = [`tool_name=${tool}`, `tool_input=${JSON.stringify(toolInput)}`];
    const { code, stderr } = await this.cli(["fire", "BeforeTool", ...args, "--trust-project"]);
    expect([code === 1, stderr]).toEqual([false, ""]);
  }

  replay(...args: readonly string[]): Promise<Ended> {
    return this.cli(["replay", "--trust-project", ...args]);
  }

  async replayJson(...args: readonly string[]) {
    const { stdout } = await this.replay("--json", ...args);
    return JSON.parse(stdout);
  }

  /** Copies that somebody forgot. */
  leftovers(): readonly string[] {
    return readdirSync(this.#temporary);
  }

  /** Everything below the project, byte by byte. Whoever reads a database in use makes two empty files beside it. */
  tree(): Files {
    const entries = readdirSync(this.project, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const kept = files.filter((file) => !/journal\.db-(wal|shm)$/.test(file)).sort();
    return Object.fromEntries(kept.map((file) => [file, readFileSync(file, "base64")]));
  }
}

/** Times and ids, which differ from run to run. */
export function withoutIds(text: string): string {
  return text
    .replace(/\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")
    .replace(/trace [0-9a-f]{8}/g, "trace ID")
    .replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"ID"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"');
}
