/** The exit codes of the program. */
export const ExitCode = {
  ok: 0,
  /** Our failure, findings, bad input, or no trust. */
  failure: 1,
  /** A hook blocked or stopped. */
  objection: 2,
  /** A person must decide. */
  ask: 3,
  interrupted: 130,
} as const;

/** The user pressed Ctrl-C, or a signal asked the program to end. */
export class Interrupted extends Error {
  constructor() {
    super("Interrupted");
    this.name = "Interrupted";
  }
}
