import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { homeFolder } from "@hookline/engine";
import { ancestors, type ProcessFacts } from "./decisions/processes.ts";
import { sessionAbove } from "./decisions/sessionMarks.ts";
import { hasTerminal } from "./decisions/terminal.ts";
import { cancelledAtEnd } from "./endOfInput.ts";
import { ExitCode, Interrupted } from "./exitCode.ts";
import { isTerminal, outputTo } from "./output.ts";

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

/** The real one. Its streams are opened when they are first used, which takes a part of a short start. */
export function processIo(): Io {
  const { env } = process;
  const homeDir = homeFolder();
  const [stdinIsTTY, stdoutIsTTY, stderrIsTTY] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const isAtTerminal = stdinIsTTY && stdoutIsTTY;
  // An agent's command can make a terminal and answer at it: below a session, never ask.
  const interactive = isAtTerminal && sessionAbove({ env, homeDir, ancestors }) === undefined;
  const { signal, interrupt, cancelOnInterrupt } = endings(interactive);
  return {
    stdout: outputTo({ fd: 1, isTTY: stdoutIsTTY, stream: () => process.stdout }),
    stderr: outputTo({ fd: 2, isTTY: stderrIsTTY, stream: () => process.stderr }),
    readStdin: () => readAll(process.stdin, signal),
    confirm: (question) => confirm(question, signal),
    env,
    cwd: process.cwd(),
    homeDir,
    interactive,
    stdoutIsTTY,
    stderrIsTTY,
    colour: wantsColour(env, stdoutIsTTY),
    ...(stdoutIsTTY ? { columns: process.stdout.columns } : {}),
    signal,
    hasTerminal,
    ancestors,
    ...(interactive
      ? { terminal: { input: process.stdin, output: process.stdout, cancelOnInterrupt, interrupt } }
      : {}),
  };
}

export function wantsColour(env: Io["env"], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTTY && env.TERM !== "dumb";
}

/**
 * A terminal that goes away says so twice, by its shell and by itself. The second time would kill the processes of hooks that the
 * first time made us start, as long as they are not yet in groups of their own.
 */
const HANGUP_MS = 200;

interface Endings extends Pick<Terminal, "cancelOnInterrupt" | "interrupt"> {
  readonly signal: AbortSignal;
}

/** Its signal aborts when the program is told to end; told twice, it ends at once, and the engine takes its processes with it. */
function endings(isAtTerminal: boolean): Endings {
  const program = new AbortController();
  let work: AbortController | undefined;
  const abortOrExit = (controller: AbortController) => {
    if (controller.signal.aborted) process.exit(ExitCode.interrupted);
    controller.abort();
  };
  const interrupt = () => abortOrExit(work ?? program);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", () => abortOrExit(program));
  process.on("SIGHUP", () => setTimeout(() => program.abort(), HANGUP_MS));
  if (isAtTerminal) process.once("SIGHUP", () => process.on("exit", dieOfHangup));
  return {
    signal: program.signal,
    interrupt,
    cancelOnInterrupt: (begun) => {
      work = begun;
      return () => {
        if (work === begun) work = undefined;
      };
    },
  };
}

/** The last of all that is done at the end. Node would set the terminal back first, and crash if that is gone. */
function dieOfHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

async function readAll(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  try {
    return await text(addAbortSignal(signal, stdin));
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    throw error;
  }
}

async function confirm(message: string, signal: AbortSignal): Promise<boolean> {
  // Loaded only where somebody is asked.
  const prompts = await import("@clack/prompts");
  const answer = await cancelledAtEnd(process.stdin, () => prompts.confirm({ message, initialValue: false, signal }));
  if (prompts.isCancel(answer)) throw new Interrupted();
  return answer;
}
