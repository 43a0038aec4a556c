/** One way to hand an agent's call to the daemon: the program at `~/.hookline/bin/hookline-hook`. Its path and arguments are the same for all. */
export interface ClientRow {
  readonly kind: "native" | "curl" | "node";
  /** Why this machine cannot have it. */
  readonly lacks: () => string | undefined;
  /** The content of the program. */
  readonly bytes: (start: ClientStart) => Buffer;
  /** What a person must know who gets it. */
  readonly note: string | undefined;
}

/** What a script has fixed at its installation: variables of the agent may come from a repository. Absolute real paths. */
export interface ClientStart {
  readonly homeDir: string;
  readonly node: string;
  readonly script: string;
}
