import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Entry } from "../records/entry.ts";
import { threadFile } from "../threadFile.ts";
import { BUSY, type FromThread, GIVEN_UP, type ThreadSetup, type ToThread } from "../writer/threadMessages.ts";
import { plainEntry } from "./plainEntry.ts";

/** How long the end of the program waits for a thread that is inside of the database. */
const EXIT_MS = 500;
/** How long a thread that was told to end may take for it. */
const TERMINATE_MS = 500;
/** How long it has to end by itself when nothing it still writes is waited for. */
const GIVE_UP_MS = 200;
/** A program that was told to end does not wait for a thread that has been silent for this long. */
const HURRIED_MS = 1_000;

/** More than the thread can be behind; beyond that, entries are counted and dropped, so that memory stays bounded. */
const MOST_WAITING = 20_000;

/** Batch entries that no caller awaits: waking the thread for each one costs the agent more than serialising it. */
const GATHER_MS = 50;
const MOST_GATHERED = 200;
const MOST_GATHERED_BYTES = 1024 ** 2;

interface Heard {
  /** What the thread wants a person to know. */
  readonly onNotice: (text: string) => void;
  /** The thread is gone, and nothing is written any more. */
  readonly onEnd: (error: Error) => void;
}

/** The thread that writes the journal, seen from the program: what it was handed, and how far it is with that. */
export class JournalLink {
  readonly #heard: Heard;
  #worker: Worker | undefined;
  /** 1 while the thread is inside of the database, where nothing can interrupt it. */
  readonly #busy = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  #handed = 0;
  #done = 0;
  /** When the thread was last heard, or handed something after a pause: since then it owes an answer. */
  #owesSince = 0;
  /** Dropped, and not reported to the thread yet. */
  #dropped = 0;
  #givenUp = 0;
  #isLocked = false;
  #exitMs = EXIT_MS;
  /** To be posted together. */
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #gathering: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<{ readonly upTo: number; readonly resolve: () => void }>();

  constructor(heard: Heard) {
    this.#heard = heard;
  }

  /** Whether there is a thread. */
  get isUp(): boolean {
    return this.#worker !== undefined;
  }

  /** Whether another program keeps it from writing. */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** How many entries were handed over and are not kept yet. */
  get pending(): number {
    return this.#handed - this.#done;
  }

  /** How many could not be kept. */
  get lost(): number {
    return this.#dropped + this.#givenUp;
  }

  start(): void {
    // Its own variables are none of its business: what it must know of them comes with its setup.
    const worker = new Worker(threadFile(), { env: {}, workerData: this.#busy });
    worker.on("message", (message: FromThread) => this.#hear(message));
    worker.on("error", (error) => this.#break(error));
    process.on("exit", this.#endAtExit);
    worker.once("exit", () => process.off("exit", this.#endAtExit));
    // After the listeners, which would undo it: a program that ends does not wait for it, unless it closes the journal.
    worker.unref();
    this.#worker = worker;
  }

  /** Says where to write. */
  setUp(setup: ThreadSetup): void {
    this.#post({ kind: "setup", setup });
  }

  /** There will be something to write. */
  open(): void {
    this.#post({ kind: "open" });
  }

  /** Packed at once: what an entry holds belongs to others, who may change it. */
  send(entry: Entry): void {
    if (this.pending >= MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    if (this.pending === 0) this.#owesSince = performance.now();
    this.#handed += 1;
    const packed = pack(entry);
    this.#gathered.push(packed);
    this.#gatheredBytes += packed.length;
    if (this.#gathered.length >= MOST_GATHERED || this.#gatheredBytes >= MOST_GATHERED_BYTES) this.#postGathered();
    else this.#gathering ??= setTimeout(this.#postGathered, GATHER_MS).unref();
  }

  /** Whether all that was sent so far is kept by then. */
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

  /** Ends the thread when it has written everything, or when the time is up. A thread that does not end is left behind. */
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
      // One that only waits for a lock ends by itself. Terminated while it looks, it would seem to hang in the database.
      Atomics.store(this.#busy, GIVEN_UP, 1);
      await within(GIVE_UP_MS, closed);
    }
    if (!isClosed) {
      void worker.terminate();
      await within(TERMINATE_MS, closed);
      worker.unref();
      this.#exitMs = 0; // it had its time
    }
    this.#worker = undefined;
  }

  /** Ends the thread, which has nothing to do. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) await within(TERMINATE_MS, worker.terminate());
  }

  /**
   * Node waits for its threads without a bound when it exits, also in process.exit(). A thread that hangs inside of the database, on a file
   * system that does not answer, would keep the program for ever; then only a signal ends it.
   */
  readonly #endAtExit = (code: number): void => {
    if (Atomics.load(this.#busy, BUSY) === 1 && Atomics.wait(this.#busy, BUSY, 1, this.#exitMs) === "timed-out") {
      dieBySignal(code);
    }
  };

  readonly #postGathered = (): void => {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#gathered.length === 0) return;
    this.#post({ kind: "entries", packed: this.#gathered, upTo: this.#handed, lost: this.#dropped });
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#dropped = 0;
  };

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
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
    return serialize(plainEntry(entry)); // something in it cannot go to another thread: a function, a socket
  }
}

/** Whether it came to its end in that time. */
async function within(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([ending.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
}

/** Comes to its end that long after the program was told to. */
function hurried(signal: AbortSignal | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const hurry = () => setTimeout(resolve, Math.max(0, ms)).unref();
    if (signal?.aborted) hurry();
    else signal?.addEventListener("abort", hurry, { once: true });
  });
}

/** As shells say it: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

/** Only of SIGINT does a shell see the exit code that was meant. */
function dieBySignal(code: number): void {
  if (code === INTERRUPTED) {
    process.removeAllListeners("SIGINT");
    process.kill(process.pid, "SIGINT");
  }
  process.kill(process.pid, "SIGKILL");
}
