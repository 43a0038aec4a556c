import { HooklineError } from "@hookline/engine";
import type { Place, Problem } from "@hookline/engine/program";

/** Every code of the program, with what to do next; the engine and the journal have their own. docs/reference/errors.md is tested against all of them. */
export const PROGRAM_ADVICE = {
  DECISION_REFUSED:
    "Type it in a terminal. In scripts there are `trust --expect`, `--trust-project`, and `approvals.withoutTerminal` in your settings.",
  FILE_UNUSABLE: "Check the path, and that you may read and write there.",
  MODEL_UNKNOWN: "`hookline run --help` says how models are named.",
  MODEL_KEY_MISSING: "Set the variable named above, or use a model that needs no key.",
  MODEL_KEY_REFUSED: "Check the key and what it may use; a key for another service is refused, too.",
  MODEL_FAILED: "Try again later, or with another `--model`.",
  REPLAY_INVALID: 'Write one JSON object per line: {"method":"generateContentStream","response":[…]}.',
  REPLAY_EXHAUSTED: "Record more answers with `--record`, or shorten what the agent is asked to do.",
  TURN_TIMED_OUT: "Allow more with `--timeout`; `--resume` goes on from where it ended.",
  SESSION_UNKNOWN: "Transcripts are in `~/.hookline/projects/<project>/sessions`, named after their sessions.",
  MCP_SERVER_INVALID: "Fix the entry of `mcpServers` at that place, then run `hookline validate`.",
  MCP_SERVER_FAILED: "Start the server by hand to see what it says, or take it out of `mcpServers`.",
  ABILITY_INVALID: "Fix the file at that place, then run `hookline validate`.",
  ABILITY_UNKNOWN: "`hookline ability list` shows every ability with its operation keys.",
  ABILITY_INPUT_INVALID: "`hookline ability show <id>` has the schema of its input.",
  TASK_UNKNOWN: "`hookline task list` shows the tasks of this project.",
  TASK_NOT_RUNNABLE: "`hookline task show <key>` says what became of it; `--again` runs it once more.",
  STORE_UNUSABLE: "Check that file, and the space and rights around it; nothing was changed.",
  HOOKTEST_INVALID: "Fix the file at that place; `docs/testing.md` has every field of a hook test.",
  COPY_REFUSED: "Make the project smaller, or run where nothing has to be copied.",
} as const;

export type ProgramCode = keyof typeof PROGRAM_ADVICE;

interface ProgramFacts {
  readonly code: ProgramCode;
  readonly what: string;
  readonly where?: Place;
  readonly next?: string | undefined;
  readonly cause?: unknown;
}

/** A person's mistake, under a code of the program. */
export class ProgramError extends HooklineError {
  declare readonly code: ProgramCode;

  constructor({ next, ...facts }: ProgramFacts) {
    super({ ...facts, next: next ?? PROGRAM_ADVICE[facts.code] });
  }
}

/** What is wrong in a file, under a code of the program. */
export function programFault({ code, where, what, next }: ProgramFacts & { readonly where: Place }): Problem {
  return { severity: "error", code, where, what, next: next ?? PROGRAM_ADVICE[code] };
}
