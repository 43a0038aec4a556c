import { join } from "node:path";
import { runFolder } from "../daemon/runFolder.ts";
import { findSocket } from "../daemon/socketPlace.ts";

/** The client and what it reads, in the user's folder. Its own folder tells it where: docs/decisions/021-the-client.md. */
export interface ClientFiles {
  readonly program: string;
  readonly binFolder: string;
  readonly runFolder: string;
  /** The command line that starts the daemon. */
  readonly daemonStart: string;
  /** What the client decided alone. */
  readonly missed: string;
  /** What the client and the daemon write there later. */
  readonly others: readonly string[];
}

export function clientFiles(homeDir: string): ClientFiles {
  const binFolder = join(homeDir, ".hookline/bin");
  const run = runFolder(homeDir);
  const { folder, pointer, lock, closed, sessions, seen, missed, journalled } = run;
  const socket = findSocket(run);
  const inRun = (name: string) => join(folder, name);
  return {
    program: join(binFolder, "hookline-hook"),
    binFolder,
    runFolder: folder,
    daemonStart: inRun("daemon.start"),
    missed,
    others: [
      missed,
      journalled,
      ...(socket === undefined ? [] : [socket]),
      pointer,
      closed,
      sessions,
      seen,
      lock,
      `${lock}-journal`,
    ],
  };
}
