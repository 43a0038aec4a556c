import { type FSWatcher, lstatSync, watch } from "node:fs";
import { dirname } from "node:path";
import type { RunFolder } from "./runFolder.ts";
import { findSocket } from "./socketPlace.ts";

/** Where the system has no watch left for us: six times a minute, as often as an idle daemon may wake up. */
const LOOK_MS = 10_000;

/** Notices when clients can no longer find the socket: it was removed or replaced, or a folder around it. An idle daemon is not woken up. */
export class SocketWatch {
  readonly #run: RunFolder;
  readonly #socket: string;
  readonly #identity: string | undefined;
  readonly #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** The socket must be there. `onLost` may be called more than once. */
  constructor(run: RunFolder, socket: string, onLost: () => void) {
    this.#run = run;
    this.#socket = socket;
    this.#identity = identityOf(socket);
    const look = () => {
      if (!this.isFound) onLost();
    };
    for (const folder of new Set([dirname(run.folder), run.folder, dirname(socket)])) this.#watch(folder, look);
  }

  /** Whether clients find this very socket. */
  get isFound(): boolean {
    return (
      this.#identity !== undefined &&
      identityOf(this.#socket) === this.#identity &&
      findSocket(this.#run) === this.#socket
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
  }

  #watch(folder: string, look: () => void): void {
    const lookOften = () => {
      this.#timer ??= setInterval(look, LOOK_MS).unref();
    };
    try {
      this.#watchers.push(watch(folder, { persistent: false }, look).on("error", lookOften));
    } catch {
      lookOften();
    }
  }
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}-${stats.ino}`;
}
