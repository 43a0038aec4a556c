import { statSync } from "node:fs";
import { packageFile } from "../packageFile.ts";
import { programVersion } from "../programVersion.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { Daemon } from "./daemon.ts";

/** Runs the daemon in this process until it has nothing to do for long, or a signal ends it. */
export async function runDaemon(io: Io): Promise<number> {
  const { homeDir, systemFile, signal } = io;
  const isOutdated = changeOf(packageFile("package.json"));
  const version = programVersion();
  const daemon = await Daemon.start({ homeDir, systemFile, version, isOutdated, onNotice: noticeTo(io) });
  if (!daemon) {
    io.stdout("Another daemon runs already; `hookline daemon status` shows it.\n");
    return ExitCode.ok;
  }
  signal.addEventListener("abort", () => daemon.stop());
  if (signal.aborted) daemon.stop();
  await daemon.ended;
  return ExitCode.ok;
}

/** Whether a file has been replaced since now. An update replaces every file of a package. */
function changeOf(file: string): () => boolean {
  const identity = () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.mtimeMs}`;
  };
  const before = identity();
  return () => identity() !== before;
}
