import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { AgentRun } from "./agentRun.ts";
import { type Ended, type Files, Machine, PROJECT_FILE } from "./machine.ts";
import type { Recorded } from "./modelAnswers.ts";
import { type Hook, scriptOf, settingsOf } from "./projectHook.ts";

export type { AgentRun } from "./agentRun.ts";
export type { Hook } from "./projectHook.ts";

interface Setup {
  /** By their path from the project. */
  readonly files?: Files;
  readonly hooks?: readonly Hook[];
}

interface RunOptions {
  readonly answers?: readonly Recorded[];
  readonly prompt?: string;
  readonly mode?: "default" | "auto-edit" | "yolo";
  readonly output?: "text" | "json" | "stream-json";
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly descriptors?: number;
}

/** A project with hooks, in which the built program lets a replayed model work. */
export class AgentProject {
  readonly machine: Machine;
  #runs = 0;

  constructor({ files = {}, hooks = [] }: Setup = {}) {
    const ours = Object.entries(files).map(([path, text]) => [`project/${path}`, text]);
    const scripts = hooks.map((hook) => [`project/hooks/${hook.name}.sh`, scriptOf(hook)]);
    const settings = hooks.length > 0 ? [[PROJECT_FILE, settingsOf(hooks)]] : [];
    this.machine = new Machine(Object.fromEntries([...settings, ...scripts, ...ours, ["seen/here", ""]]));
  }

  async run(options: RunOptions = {}): Promise<AgentRun> {
    const args = this.#begin(options);
    const nth = this.#runs;
    const run = new AgentRun(this, nth, await this.machine.cli(args, worldOf(options)));
    run.expectConsistent();
    return run;
  }

  /** The program under way; `look` is for when it has ended, however that was. */
  start(options: RunOptions = {}): { readonly child: ChildProcess; readonly look: (ended: Ended) => AgentRun } {
    const child = this.machine.start(this.#begin(options), worldOf(options));
    const nth = this.#runs;
    return { child, look: (ended) => new AgentRun(this, nth, ended) };
  }

  file(path: string): string {
    return this.machine.read(`project/${path}`);
  }

  /** What a hook was given, run by run. */
  seen(hook: string): readonly Record<string, unknown>[] {
    return this.lines(`seen/${hook}.jsonl`, z.looseObject({}));
  }

  /** A file with a JSON value on each line, by its path from the machine; none if it is not there. */
  lines<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema>[] {
    if (!this.machine.has(path)) return [];
    const lines = this.machine.read(path).split("\n");
    return lines.filter(Boolean).map((line) => schema.parse(JSON.parse(line)));
  }

  #begin({ answers = [], prompt = "go", mode = "yolo", output = "json", args = [] }: RunOptions): string[] {
    this.#runs += 1;
    this.machine.write({ "answers.jsonl": answers.map((line) => `${JSON.stringify(line)}\n`).join("") });
    const at = (name: string) => join(this.machine.dir, name);
    const model = ["--model", `replay:${at("answers.jsonl")}`, "--requests", at(`requests-${this.#runs}.jsonl`)];
    const how = ["--approval-mode", mode, "--output", output, "--trust-project"];
    return ["run", "-p", prompt, ...model, ...how, ...args];
  }
}

/** One run in a project of its own. */
export function agentRun(options: Setup & RunOptions): Promise<AgentRun> {
  return new AgentProject(options).run(options);
}

function worldOf({ env, descriptors }: RunOptions) {
  return { ...(env && { env }), ...(descriptors && { descriptors }) };
}
