import { HooklineError } from "@hookline/engine";
import type { Place, Problem } from "@hookline/engine/program";

/** Every code of the program, with what to do next; the engine and the journal have their own. docs/reference/errors.md is tested against all of them. */
export const PROGRAM_ADVICE = {
  HOST_UNKNOWN: "`hookline hosts` shows the agents that hookline knows.",
  DAEMON_FAILED: "Run `hookline daemon run` in a terminal: it shows why the daemon does not start.",
  QUESTION_UNKNOWN: "`hookline asks` shows the questions that are open.",
  DECISION_REFUSED:
    "Type it in a terminal. In scripts, use `trust --expect`, `--trust-project`, or `approvals.withoutTerminal` in your settings.",
  FILE_UNUSABLE: "Check the path and your read and write permissions.",
  INSTALL_REFUSED: "`hookline install --help` lists what it needs; nothing was written.",
  MODEL_UNKNOWN: "`hookline run --help` lists the model names.",
  MODEL_KEY_MISSING: "Set the variable named above, or use a model that needs no key.",
  MODEL_KEY_REFUSED: "Check the key and its permissions; a key for another service is refused, too.",
  MODEL_FAILED: "Try again later, or with another `--model`.",
  REPLAY_INVALID: 'Write one JSON object per line: {"method":"generateContentStream","response":[…]}.',
  REPLAY_EXHAUSTED: "Record more answers with `--record`, or give the agent a smaller task.",
  TURN_TIMED_OUT: "Raise `--timeout`; `--resume` continues from where it ended.",
  SESSION_UNKNOWN:
    "Transcripts are in `~/.hookline/projects/<project>/sessions`; each file is named after its session.",
  MCP_SERVER_INVALID: "Fix the entry of `mcpServers` at that place, then run `hookline validate`.",
  MCP_SERVER_FAILED: "Start the server by hand to see its output, or remove it from `mcpServers`.",
  ABILITY_INVALID: "Fix the file at that place, then run `hookline validate`.",
  ABILITY_UNKNOWN: "`hookline ability list` shows every ability with its operation keys.",
  ABILITY_INPUT_INVALID: "`hookline ability show <id>` prints its input schema.",
  TASK_UNKNOWN: "`hookline task list` shows the tasks of this project.",
  TASK_NOT_RUNNABLE: "`hookline task show <key>` shows its result; `--again` runs it again.",
  STORE_UNUSABLE: "Check that file, its permissions and the free disk space; nothing was changed.",
  HOOKTEST_INVALID: "Fix the file at that place; `docs/testing.md` lists every field of a hook test.",
  COPY_REFUSED: "Make the project smaller, or run a command that does not copy it.",
} as const;

export type ProgramCode = keyof typeof PROGRAM_ADVICE;

interface ProgramFacts {
  readonly code: ProgramCode;
  readonly what: string;
  readonly where?: Place;
  readonly next?: string | undefined;
  readonly cause?: unknown;
}

/** A user's mistake, with an error code of the program. */
export class ProgramError extends HooklineError {
  declare readonly code: ProgramCode;

  constructor({ next, ...facts }: ProgramFacts) {
    super({ ...facts, next: next ?? PROGRAM_ADVICE[facts.code] });
  }
}

/** A problem in a file, with an error code of the program. */
export function programFault({ code, where, what, next }: ProgramFacts & { readonly where: Place }): Problem {
  return { severity: "error", code, where, what, next: next ?? PROGRAM_ADVICE[code] };
}
