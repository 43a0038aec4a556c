import type { Io } from "./io.ts";

/** What the shell can offer as completions. */
export type Completes = "events" | "hooks" | "files" | "folders" | readonly string[] | (() => readonly string[]);

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly completes?: Completes;
}

export interface Option {
  /** In commander's syntax: `--input <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly completes?: Completes;
}

/** The parsed command line. */
export interface CliOptions {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** A row of the command table, which the parser, the help and the shell completions use. */
export type Entry = Command | CommandGroup;

/** A group of commands: `task create`, `task run`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Command[];
  readonly hidden?: false;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly parameters: readonly Parameter[];
  readonly options: readonly Option[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly hidden?: boolean;
  /** Returns the exit code. */
  readonly run: (io: Io, given: CliOptions) => Promise<number>;
}
