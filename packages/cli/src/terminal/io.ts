import type { ProcessFacts } from "./processes.ts";

/** The environment of a command. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly readStdin: () => Promise<string>;
  /** Asks the user a yes/no question; call it only if `interactive`. Throws `Interrupted` on Ctrl-C and at the end of input. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** The home folder for state, if it differs from that of the settings. */
  readonly stateHomeDir?: string;
  /** The checked state folder from HOOKLINE_STATE_DIR. */
  readonly stateDir?: string;
  /** The system's settings file, if it is not the usual one. */
  readonly systemFile?: string;
  /** The folder that stands for `/` in the paths of managed settings of other agents. */
  readonly rootDir?: string;
  /** The user can answer questions. */
  readonly interactive: boolean;
  /** Standard output is a terminal, so the user reads it. */
  readonly stdoutIsTTY: boolean;
  /** Standard error is a terminal, so progress may be shown. */
  readonly stderrIsTTY: boolean;
  readonly colour: boolean;
  /** The width of the terminal, if there is one. */
  readonly columns?: number;
  readonly signal: AbortSignal;
  /** Whether this process has a controlling terminal, even if its streams are redirected. */
  readonly hasTerminal: () => boolean;
  /** The ancestors of this process, its parent first. */
  readonly ancestors: () => readonly ProcessFacts[];
  /** Absent without a user at a terminal. */
  readonly terminal?: Terminal;
}

/** The terminal access that a conversation needs beyond single questions. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Makes Ctrl-C abort this work instead of ending the program, until undone; a second Ctrl-C ends the program at once. */
  readonly cancelOnInterrupt: (work: AbortController) => () => void;
  /** Does the same as Ctrl-C, for readers of single keys. */
  readonly interrupt: () => void;
}
