/** Every code of the engine, with what to do next. docs/reference/errors.md is tested against this table. */
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
  NOT_INITIALIZED: "Await `hookSystem.initialize()` before you use it.",
  BUS_UNANSWERED: "Call `serveHooks` on the same bus before the first request, or allow more time with `timeoutMs`.",
  BUS_DISPOSED: "Make a new bus, and serve hooks on that one.",
  ABORTED: "Nothing to do: the caller cancelled the event.",
  OPTION_INVALID: "The command's `--help` says what it takes.",
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

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ADVICE, code);
}

/** The code of what went wrong inside an event; a program's own codes are none of the engine's. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof HooklineError && isErrorCode(error.code) ? error.code : "HOOK_FAILED";
}

/** What happened; a code of the engine brings its advice, another one needs `next`. */
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
