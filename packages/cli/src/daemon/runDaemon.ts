import { programVersion } from "../programVersion.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { Daemon } from "./daemon.ts";

/** Runs the daemon in this process until it has nothing to do for long, or a signal ends it. */
export async function runDaemon(io: Io): Promise<number> {
  const { homeDir, systemFile, signal } = io;
  const daemon = await Daemon.start({ homeDir, systemFile, version: programVersion(), onNotice: noticeTo(io) });
  if (!daemon) {
    io.stdout("Another daemon runs already; `hookline daemon status` shows it.\n");
    return ExitCode.ok;
  }
  signal.addEventListener("abort", () => daemon.stop());
  if (signal.aborted) daemon.stop();
  await daemon.ended;
  return ExitCode.ok;
}
