import { join } from "node:path";

/** The client and what it reads, in the user's folder. Its own folder tells it where: docs/decisions/021-the-client.md. */
export interface ClientFiles {
  readonly program: string;
  readonly binFolder: string;
  readonly runFolder: string;
  /** The command line that starts the daemon. */
  readonly daemonStart: string;
  /** What the client decided alone. */
  readonly missed: string;
  /** What is written into `run/` later, by the client or for it. */
  readonly others: readonly string[];
}

export function clientFiles(homeDir: string): ClientFiles {
  const [binFolder, runFolder] = [join(homeDir, ".hookline/bin"), join(homeDir, ".hookline/run")];
  const inRun = (name: string) => join(runFolder, name);
  return {
    program: join(binFolder, "hookline-hook"),
    binFolder,
    runFolder,
    daemonStart: inRun("daemon.start"),
    missed: inRun("missed"),
    others: ["closed", "missed", "socket"].map(inRun),
  };
}
