import type { ChildProcess } from "node:child_process";
import { z } from "zod";
import { type Ended, type Files, Machine } from "../support/machine.ts";

/** A hook in YAML with a script of its own, which writes down what it was given, then prints `answers` or does what `runs` says. */
export interface YamlHook {
  readonly id: string;
  readonly on: string;
  readonly answers?: unknown;
  /** Shell; the input is in `$input`. */
  readonly runs?: string;
  readonly fields?: Files;
}

export interface YamlAbility {
  readonly id: string;
  /** Shell; the input is in `$input`. */
  readonly runs?: string;
  readonly fields?: Files;
}

interface Setup {
  readonly abilities?: readonly YamlAbility[];
  readonly hooks?: readonly YamlHook[];
  /** By their path from the machine. */
  readonly files?: Files;
}

interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

const answer = z.looseObject({});

/** A project with abilities and hooks, on which the built program works. */
export class AbilityProject {
  readonly machine: Machine;

  constructor({ abilities = [GREET], hooks = [], files = {} }: Setup = {}) {
    this.machine = new Machine({
      ...Object.fromEntries(abilities.flatMap(abilityFiles)),
      ...Object.fromEntries(hooks.flatMap(hookFiles)),
      "seen/here": "",
      ...files,
    });
  }

  /** What only a person may do is done at a terminal; everything else without. */
  async cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
    const env = trusting(options.env);
    if (/^(approve|deny)$/.test(args[1] ?? "")) return this.machine.run(args, { env: this.machine.env(env) });
    return this.machine.cli(args, { ...options, env: trusting(options.env) });
  }

  start(args: readonly string[], options: CliOptions = {}): ChildProcess {
    return this.machine.start(args, { env: trusting(options.env) });
  }

  /** The same with `--json`, read. */
  async json(
    args: readonly string[],
    options: CliOptions = {},
  ): Promise<{ code: number | null; said: z.infer<typeof answer> }> {
    const { code, stdout, stderr } = await this.cli([...args, "--json"], options);
    try {
      return { code, said: answer.parse(JSON.parse(stdout)) };
    } catch (cause) {
      throw new Error(`No JSON, exit ${code}: ${stdout}\n${stderr}`, { cause });
    }
  }

  /** Creates a task and answers its key. */
  async created(name = "greet", ...args: string[]): Promise<string> {
    const { said } = await this.json(["task", "create", name, "--input", INPUT, ...args]);
    return z.string({ error: JSON.stringify(said) }).parse(said.task_key);
  }

  async task(key: string): Promise<z.infer<typeof answer>> {
    return (await this.json(["task", "show", key])).said;
  }

  /** What a hook or a script was given, run by run. */
  seen(name: string): readonly z.infer<typeof answer>[] {
    const file = `seen/${name}.jsonl`;
    const lines = this.machine.has(file) ? this.machine.read(file).split("\n") : [];
    return lines.filter(Boolean).map((line) => answer.parse(JSON.parse(line)));
  }
}

export const INPUT = '{"name":"you"}';

export const GREET: YamlAbility = {
  id: "greet",
  runs: `echo '{"status":"success","output":"hello","changed_files":["a.txt"]}'`,
  fields: { operation_keys: ["say.hello", "say.hi"] },
};

/** A signal, as a hook prints it. */
export function signal(kind: "ability_preflight" | "ability_guard", code: string, payload: unknown = {}) {
  return { hook_signals: [{ kind, code, payload }] };
}

function abilityFiles({ id, runs = "", fields = {} }: YamlAbility): [string, unknown][] {
  const implementation = { kind: "script", command: `./scripts/${id}.sh` };
  return [
    [`project/.system/abilities/${id}.yaml`, { id, summary: `Does ${id}.`, implementation, ...fields }],
    [`project/scripts/${id}.sh`, script(id, runs)],
  ];
}

function hookFiles({ id, on, answers, runs = "", fields = {} }: YamlHook): [string, unknown][] {
  const printed = answers === undefined ? "" : `cat <<'ANSWER'\n${JSON.stringify(answers)}\nANSWER\n`;
  const handler = { kind: "script", command: `./scripts/${id}.sh`, timeout: "60s" };
  const blocking = on !== "PostAbilityCall";
  return [
    [`project/.system/hooks/${id}.yaml`, { id, event_type: on, enabled: true, blocking, handler, ...fields }],
    [`project/scripts/${id}.sh`, script(id, `${runs}\n${printed}`)],
  ];
}

/** JSON is YAML, too: files are written as such. */
function script(id: string, runs: string): string {
  const noted = `printf '%s\\n' "$input" >> "$HOOKLINE_PROJECT_DIR/../seen/${id}.jsonl"`;
  return ["#!/bin/sh", "input=$(cat)", noted, runs].join("\n");
}

function trusting(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { HOOKLINE_TRUST_PROJECT: "1", ...env };
}
