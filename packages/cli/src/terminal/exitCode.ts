/** What the program says to the shell. */
export const ExitCode = {
  fine: 0,
  /** Our failure, findings, bad input, or no trust. */
  failure: 1,
  /** A hook blocked or stopped. */
  objection: 2,
  /** A person must decide. */
  ask: 3,
  interrupted: 130,
} as const;

/** A person pressed Ctrl-C, or the program was told to end. */
export class Interrupted extends Error {
  constructor() {
    super("Interrupted");
    this.name = "Interrupted";
  }
}
