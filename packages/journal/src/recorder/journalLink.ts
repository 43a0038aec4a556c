import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Entry } from "../records/entry.ts";
import { threadFile } from "../threadFile.ts";
import { EntryBatch } from "../writer/entryBatch.ts";
import { BUSY, type FromThread, GIVEN_UP, type ThreadSetup, type ToThread } from "../writer/threadMessages.ts";
import { plainEntry } from "./plainEntry.ts";

/** How long the end of the program waits for a thread inside a database call. */
const EXIT_MS = 500;
/** How long a terminated thread may take to end. */
const TERMINATE_MS = 500;
/** How long the thread has to end on its own once its writes are no longer awaited. */
const GIVE_UP_MS = 200;
/** An interrupted program does not wait for a thread that has been silent this long. */
const HURRIED_MS = 1_000;

/** More than the thread can fall behind; beyond that, entries are counted and dropped, so that memory stays bounded. */
const MOST_WAITING = 20_000;

/** Batch entries that no caller awaits: waking the thread for each one costs the agent more than serialising it. */
const GATHER_MS = 50;
const MOST_GATHERED = 200;
const MOST_GATHERED_BYTES = 1024 ** 2;

interface Heard {
  /** Receives the thread's notices for the user. */
  readonly onNotice: (text: string) => void;
  /** The thread has ended, and nothing is recorded any more. */
  readonly onEnd: (error: Error) => void;
}

/** The program's side of the journal thread: sends entries and tracks which are recorded. */
export class JournalLink {
  readonly #heard: Heard;
  #worker: Worker | undefined;
  /** 1 while the thread is inside a database call, which cannot be interrupted. */
  readonly #busy = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  #handed = 0;
  #done = 0;
  /** When the thread last answered, or was sent something after a pause: since then it owes an answer. */
  #owesSince = 0;
  /** Dropped and not yet reported to the thread. */
  #dropped = 0;
  #givenUp = 0;
  #isLocked = false;
  #exitMs = EXIT_MS;
  /** Entries to be posted together. */
  readonly #gathered = new EntryBatch();
  #gathering: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<{ readonly upTo: number; readonly resolve: () => void }>();

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  /** Whether the thread is running. */
  get isUp(): boolean {
    return this.#worker !== undefined;
  }

  /** Whether another program's lock keeps it from writing. */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** Entries handed over but not yet recorded. */
  get pending(): number {
    return this.#handed - this.#done;
  }

  /** Entries that could not be recorded. */
  get lost(): number {
    return this.#dropped + this.#givenUp;
  }

  start(): void {
    // Start the thread with an empty environment; it receives what it needs in `setup`.
    const worker = new Worker(threadFile(), { env: {}, workerData: this.#busy });
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error) => this.#break(error));
    process.on("exit", this.#endAtExit);
    worker.once("exit", () => process.off("exit", this.#endAtExit));
    // After adding the listeners, which would undo it: a program that ends does not wait for the thread unless it
    // closes the journal.
    worker.unref();
    this.#worker = worker;
  }

  /** Tells the thread where to write. */
  setUp(setup: ThreadSetup): void {
    this.#post({ kind: "setup", setup });
  }

  /** Announces that there will be something to write. */
  open(): void {
    this.#post({ kind: "open" });
  }

  /** Serialise at once: the caller may change the entry's values later. */
  send(entry: Entry): void {
    if (this.pending >= MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    if (this.pending === 0) this.#owesSince = performance.now();
    this.#handed += 1;
    this.#gathered.add(pack(entry));
    const { entries, usedBytes } = this.#gathered;
    if (entries >= MOST_GATHERED || usedBytes >= MOST_GATHERED_BYTES) this.#postGathered();
    else this.#gathering ??= setTimeout(this.#postGathered, GATHER_MS).unref();
  }

  /** Whether everything sent so far is recorded within this time. */
  isDoneWithin(ms: number): Promise<boolean> {
    if (this.pending === 0) return Promise.resolve(true);
    this.#postGathered();
    return new Promise((resolve) => {
      const waiting = { upTo: this.#handed, resolve: () => end(true) };
      const timer = setTimeout(() => end(false), ms);
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(isDone);
      };
      this.#waiting.add(waiting);
    });
  }

  /** Ends the thread when it has written everything or the time is up. Abandons a thread that does not end. */
  async close(ms: number, signal?: AbortSignal): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    let isClosed = false;
    const closed = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    void closed.then(() => {
      isClosed = true;
    });
    this.#postGathered();
    this.#post({ kind: "close" });
    const silentMs = this.pending > 0 ? performance.now() - this.#owesSince : 0;
    await within(ms, Promise.race([closed, hurried(signal, HURRIED_MS - silentMs)]));
    if (!isClosed) {
      // A thread that only waits for a lock ends on its own. Terminated during a database call, it would seem to hang.
      Atomics.store(this.#busy, GIVEN_UP, 1);
      await within(GIVE_UP_MS, closed);
    }
    if (!isClosed) {
      void worker.terminate();
      await within(TERMINATE_MS, closed);
      worker.unref();
      this.#exitMs = 0; // its time is up
    }
    this.#worker = undefined;
  }

  /** Ends an idle thread. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) await within(TERMINATE_MS, worker.terminate());
  }

  /**
   * Node waits for its threads without a timeout when it exits, even in process.exit(). A thread that hangs in a
   * database call, on a file system that does not answer, would block the exit forever; then only a signal ends the
   * process.
   */
  readonly #endAtExit = (code: number): void => {
    if (Atomics.load(this.#busy, BUSY) === 1 && Atomics.wait(this.#busy, BUSY, 1, this.#exitMs) === "timed-out") {
      dieBySignal(code);
    }
  };

  readonly #postGathered = (): void => {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#gathered.entries === 0) return;
    const packed = this.#gathered.take();
    this.#post({ kind: "entries", packed, upTo: this.#handed, lost: this.#dropped }, [packed.bytes.buffer]);
    this.#dropped = 0;
  };

  /** Memory in `moved` belongs to the thread from then on. */
  #post(message: ToThread, moved: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, moved);
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case "done":
        this.#done = message.upTo;
        this.#owesSince = performance.now();
        this.#givenUp += message.lost;
        this.#isLocked = false;
        for (const one of this.#waiting) if (one.upTo <= this.#done) one.resolve();
        return;
      case "locked":
        this.#isLocked = true;
        return;
      case "notice":
        this.#heard.onNotice(message.text);
        return;
    }
  }

  #break(error: Error): void {
    this.#worker = undefined;
    for (const { resolve } of this.#waiting) resolve();
    this.#heard.onEnd(error);
  }
}

function pack(entry: Entry): Uint8Array {
  try {
    return serialize(entry);
  } catch {
    return serialize(plainEntry(entry)); // it contains a value that cannot be cloned, such as a function or socket
  }
}

/** Whether the promise settles within this time. */
async function within(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([ending.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}

/** Resolves this long after the interrupt. */
function hurried(signal: AbortSignal | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const hurry = () => setTimeout(resolve, Math.max(0, ms)).unref();
    if (signal?.aborted) hurry();
    else signal?.addEventListener("abort", hurry, { once: true });
  });
}

/** As shells say it: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

/** Only after SIGINT does a shell report the intended exit code. */
function dieBySignal(code: number): void {
  if (code === INTERRUPTED) {
    process.removeAllListeners("SIGINT");
    process.kill(process.pid, "SIGINT");
  }
  process.kill(process.pid, "SIGKILL");
}
