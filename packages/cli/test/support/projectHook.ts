import type { Files } from "./machine.ts";

/** A hook of the project: a script of its own. It writes down what it was given, then prints `answers` or does what `runs` says. */
export interface Hook {
  readonly on: string;
  readonly name: string;
  readonly matcher?: string;
  readonly sequential?: boolean;
  readonly answers?: unknown;
  /** Shell; the input is in `$input`. */
  readonly runs?: string;
  /** `onError`, `mode` and the like. */
  readonly settings?: Files;
}

/** Whatever it does, what it was given is a line of `seen/<name>.jsonl` beside the project. */
export function scriptOf({ name, answers, runs = "" }: Hook): string {
  const printed = answers === undefined ? "" : `cat <<'ANSWER'\n${JSON.stringify(answers)}\nANSWER\n`;
  const noted = `printf '%s\\n' "$input" >> "$HOOKLINE_PROJECT_DIR/../seen/${name}.jsonl"`;
  return ["#!/bin/sh", "input=$(cat)", noted, runs, printed].join("\n");
}

export function settingsOf(hooks: readonly Hook[]): Files {
  const definitions: Record<string, unknown[]> = {};
  for (const { on, name, matcher, sequential, settings } of hooks) {
    const command = {
      type: "command",
      name,
      command: `./hooks/${name}.sh`,
      timeout: "30s",
      onError: "allow",
      ...settings,
    };
    const group = { ...(matcher && { matcher }), ...(sequential && { sequential }), hooks: [command] };
    definitions[on] = [...(definitions[on] ?? []), group];
  }
  return { hooks: definitions };
}
