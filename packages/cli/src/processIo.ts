import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { homeFolder } from "@hookline/engine/program";
import { sessionAbove } from "./decisions/sessionMarks.ts";
import { cancelledAtEnd } from "./terminal/endOfInput.ts";
import { ExitCode, Interrupted } from "./terminal/exitCode.ts";
import { hasTerminal } from "./terminal/hasTerminal.ts";
import type { Io, Terminal } from "./terminal/io.ts";
import { isTerminal, outputTo } from "./terminal/output.ts";
import { ancestors } from "./terminal/processes.ts";

/** The Io of this process. Opens each stream on first use: opening all of them would slow down short commands. */
export function processIo(): Io {
  const { env } = process;
  const homeDir = homeFolder();
  const [stdinIsTTY, stdoutIsTTY, stderrIsTTY] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const isAtTerminal = stdinIsTTY && stdoutIsTTY;
  // A command that an agent runs can open a pseudo-terminal and answer there: below a session, never ask.
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

function wantsColour(env: Io["env"], isTTY: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTTY && env.TERM !== "dumb";
}

/**
 * A closing terminal sends SIGHUP twice: once through its shell, once itself. The second would kill hook processes
 * started because of the first, until they are in their own process groups.
 */
const HANGUP_MS = 200;

interface Endings extends Pick<Terminal, "cancelOnInterrupt" | "interrupt"> {
  readonly signal: AbortSignal;
}

/** Aborts its signal at the first interrupt; at the second, exits at once, and the engine kills its processes. */
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

/** Must run last at exit: Node would first reset the terminal, and crash if the terminal is gone. */
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
  // Loaded lazily: only prompts need it.
  const prompts = await import("@clack/prompts");
  const answer = await cancelledAtEnd(process.stdin, () => prompts.confirm({ message, initialValue: false, signal }));
  if (prompts.isCancel(answer)) throw new Interrupted();
  return answer;
}
