/** Every code a person can meet, with what to do next. docs/reference/errors.md is tested against this table. */
export const ADVICE = {
  CONFIG_UNREADABLE: "Make the file readable, or remove it, then run `hookline validate`.",
  CONFIG_SYNTAX: "Fix the file at that place, then run `hookline validate`.",
  CONFIG_INVALID: "Fix the entry at that place, then run `hookline validate`.",
  CONFIG_DOUBTFUL: "Check that this is what you mean; `hookline explain` shows what would run.",
  COMMAND_NOT_FOUND: "Create the file, correct its path, or make it executable with `chmod +x`.",
  EVENT_UNKNOWN: "`hookline events` lists the names this version knows.",
  HOOK_UNKNOWN: "`hookline list` shows every hook by its name.",
  HOOK_FAILED: "Run it alone with `hookline fire`; its standard error is shown there.",
  HOOK_CHANGED: "Look at the change, then run `hookline trust`.",
  INPUT_INVALID: "Pass the fields that `hookline events <name>` lists for this event.",
  TRUST_REQUIRED: "Run `hookline trust` to look at them and decide, or pass `--trust-project` for one run.",
  DECISION_REFUSED:
    "Type it in a terminal. In scripts there are `trust --expect`, `--trust-project`, and `approvals.withoutTerminal` in your settings.",
  NOT_INITIALIZED: "Await `hookSystem.initialize()` before you use it.",
  BUS_UNANSWERED: "Call `serveHooks` on the same bus before the first request, or allow more time with `timeoutMs`.",
  BUS_DISPOSED: "Make a new bus, and serve hooks on that one.",
  ABORTED: "Nothing to do: the caller cancelled the event.",
  OPTION_INVALID: "The command's `--help` says what it takes.",
  FILE_UNUSABLE: "Check the path, and that you may read and write there.",
  MODEL_UNKNOWN: "Write `gemini-2.5-pro` (or another Gemini model), `openai:<model>`, or `replay:<file>`.",
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
  JOURNAL_UNUSABLE: "`hookline doctor` says what is wrong with the journal, and repairs what it can.",
  RECORD_UNKNOWN: "`hookline log` shows what is recorded, with its ids.",
  COPY_REFUSED: "Make the project smaller, or run where nothing has to be copied.",
  HOME_UNSAFE: "Set HOME to your own home folder, outside of the project.",
  PLATFORM_UNSUPPORTED: "Use Linux, macOS or WSL.",
} as const;

export type ErrorCode = keyof typeof ADVICE;

/** Where in a file something stands; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export function formatPlace(place: Place): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(":");
}

interface ErrorFacts {
  readonly code: ErrorCode;
  readonly what: string;
  readonly where?: Place;
  readonly next?: string;
  readonly cause?: unknown;
}

/** A person's mistake: where it is, what it is, and what to do next. Our own bugs are plain `Error`s. */
export class HooklineError extends Error {
  readonly code: ErrorCode;
  readonly what: string;
  readonly where: Place | undefined;
  readonly next: string;

  constructor({ code, what, where, next = ADVICE[code], cause }: ErrorFacts) {
    super(`${where ? `${formatPlace(where)}: ` : ""}${what}`, { cause });
    this.name = "HooklineError";
    this.code = code;
    this.what = what;
    this.where = where;
    this.next = next;
  }
}
