import type { ProcessFacts } from "./processes.ts";

/** The world as a command sees it. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly readStdin: () => Promise<string>;
  /** A yes or no from a person; asked only where `interactive`. Throws `Interrupted` on Ctrl-C and at the end of input. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** Whose state is used, where that is not the home of the settings. */
  readonly stateHomeDir?: string;
  /** Where state is kept, as HOOKLINE_STATE_DIR says; checked. */
  readonly stateDir?: string;
  /** The system's settings file, where it is not the usual one. */
  readonly systemFile?: string;
  /** Somebody is there to answer. */
  readonly interactive: boolean;
  /** A person reads what is printed. */
  readonly stdoutIsTTY: boolean;
  /** Progress may be shown. */
  readonly stderrIsTTY: boolean;
  readonly colour: boolean;
  /** How wide the terminal is, where there is one. */
  readonly columns?: number;
  readonly signal: AbortSignal;
  /** Whether a person can type to this process, wherever its streams lead. */
  readonly hasTerminal: () => boolean;
  /** The processes that led to this one, its parent first. */
  readonly ancestors: () => readonly ProcessFacts[];
  /** Absent where nobody sits at one. */
  readonly terminal?: Terminal;
}

/** What a conversation needs beyond single questions. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Until that is undone, Ctrl-C aborts this work instead of ending the program; pressed again, it ends the program at once. */
  readonly cancelOnInterrupt: (work: AbortController) => () => void;
  /** Does what Ctrl-C does, for those who read single keys. */
  readonly interrupt: () => void;
}
