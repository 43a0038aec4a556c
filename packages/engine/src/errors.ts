/** Every code of the engine, with what to do next. docs/reference/errors.md is tested against this table. */
export const ADVICE = {
  CONFIG_UNREADABLE: "Make the file readable, or remove it, then run `hookline validate`.",
  CONFIG_SYNTAX: "Fix the file at that place, then run `hookline validate`.",
  CONFIG_INVALID: "Fix the entry at that place, then run `hookline validate`.",
  CONFIG_DOUBTFUL: "Check that this is what you mean; `hookline explain` shows what would run.",
  COMMAND_NOT_FOUND: "Create the file, correct its path, or make it executable with `chmod +x`.",
  EVENT_UNKNOWN: "`hookline events` lists the names this version knows.",
  HOOK_UNKNOWN: "`hookline list` shows every hook by its name.",
  HOOK_FAILED: "Run it alone with `hookline fire`, which shows its standard error.",
  HOOK_CHANGED: "Look at the change, then run `hookline trust`.",
  INPUT_INVALID: "Pass the fields that `hookline events <name>` lists for this event.",
  TRUST_REQUIRED: "Run `hookline trust` to look at them and decide, or pass `--trust-project` for one run.",
  NOT_INITIALIZED: "Await `hookSystem.initialize()` before you use it.",
  BUS_UNANSWERED: "Call `serveHooks` on the same bus before the first request, or allow more time with `timeoutMs`.",
  BUS_DISPOSED: "Create a new bus and call `serveHooks` on it.",
  ABORTED: "Nothing to do: the caller cancelled the event.",
  OPTION_INVALID: "Run the command with `--help` to see its options.",
  HOME_UNSAFE: "Set HOME to your own home folder, outside of the project.",
  PLATFORM_UNSUPPORTED: "Use Linux, macOS or WSL.",
} as const;

export type ErrorCode = keyof typeof ADVICE;

/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export function formatPlace(place: Place): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(":");
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ADVICE, code);
}

/** The engine's code for an error inside an event; codes of the embedding program become HOOK_FAILED. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof HooklineError && isErrorCode(error.code) ? error.code : "HOOK_FAILED";
}

/** What happened. An engine code brings its own advice; any other code needs `next`. */
type ErrorFacts = {
  readonly what: string;
  readonly where?: Place;
  readonly cause?: unknown;
} & ({ readonly code: ErrorCode; readonly next?: string } | { readonly code: string; readonly next: string });

/** A person's mistake: where it is, what it is, and what to do next. Our own bugs are plain `Error`s. */
export class HooklineError extends Error {
  readonly code: string;
  readonly what: string;
  readonly where: Place | undefined;
  readonly next: string;

  constructor(facts: ErrorFacts) {
    const { code, what, where, cause } = facts;
    super(`${where ? `${formatPlace(where)}: ` : ""}${what}`, { cause });
    this.name = "HooklineError";
    this.code = code;
    this.what = what;
    this.where = where;
    this.next = facts.next ?? (isErrorCode(code) ? ADVICE[code] : "");
  }
}
