import { homedir } from "node:os";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { ExitCode, Interrupted } from "./exitCode.ts";

/** The world as a command sees it. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly readStdin: () => Promise<string>;
  /** A yes or no from a person; asked only where `interactive`. Throws `Interrupted` on Ctrl-C. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** The system's settings file, where it is not the usual one. */
  readonly systemFile?: string;
  /** Somebody is there to answer. */
  readonly interactive: boolean;
  /** A person reads what is printed. */
  readonly stdoutIsTTY: boolean;
  /** Progress may be shown. */
  readonly stderrIsTTY: boolean;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

/** The real one. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const signal = endingSignal();
  // A reader that has seen enough (`| head`) is no failure of ours.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(ExitCode.fine);
  });
  return {
    stdout: (chunk) => void stdout.write(chunk),
    stderr: (chunk) => void stderr.write(chunk),
    readStdin: () => readAll(stdin, signal),
    confirm: (question) => confirm(question, signal),
    env,
    cwd: process.cwd(),
    homeDir: homedir(),
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    stdoutIsTTY: stdout.isTTY === true,
    stderrIsTTY: stderr.isTTY === true,
    colour: wantsColour(env, stdout.isTTY === true),
    signal,
  };
}

export function wantsColour(env: Io["env"], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTTY && env.TERM !== "dumb";
}

/** Aborts when the program is told to end; told twice, it ends at once, and the engine takes its processes with it. */
function endingSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(ExitCode.interrupted);
      controller.abort();
    });
  }
  return controller.signal;
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
  const answer = await prompts.confirm({ message, initialValue: false, signal });
  if (prompts.isCancel(answer)) throw new Interrupted();
  return answer;
}
