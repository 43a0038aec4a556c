import type { LeaderProcess, OutputStream } from "../leader.ts";

type DataListener = (chunk: Buffer) => void;
type ExitListener = (code: number | null, signal: NodeJS.Signals | null) => void;

export interface OutputControl {
  /** Reads and drops the rest. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** What a process of the spawner prints. */
export class SpawnedOutput implements OutputStream {
  readonly #control: OutputControl;
  readonly #dataListeners = new Set<DataListener>();
  readonly #endListeners: (() => void)[] = [];
  #isOpen = true;

  constructor(control: OutputControl) {
    this.#control = control;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  on(event: "data", listener: DataListener): void;
  on(event: "end" | "error", listener: () => void): void;
  on(event: "data" | "end" | "error", listener: DataListener & (() => void)): void {
    if (event === "data") this.#dataListeners.add(listener);
    if (event === "end") this.#endListeners.push(listener);
  }

  off(_event: "data", listener: DataListener): void {
    this.#dataListeners.delete(listener);
  }

  /** Call it once nothing listens any more: the process can go on printing. */
  resume(): void {
    if (this.#isOpen) this.#control.drop();
  }

  destroy(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#control.close();
  }

  push(chunk: Buffer): void {
    for (const listener of this.#dataListeners) listener(chunk);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const listener of this.#endListeners) listener();
  }
}

/** A process that the spawner started, with the interface of Node's own. */
export class SpawnedProcess implements LeaderProcess {
  readonly stdin = null;
  readonly stdout: SpawnedOutput;
  readonly stderr: SpawnedOutput;
  readonly #exitListeners: ExitListener[] = [];
  readonly #unref: () => void;
  #hasExited = false;

  constructor(stdout: SpawnedOutput, stderr: SpawnedOutput, unref: () => void) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.#unref = unref;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Whether nothing more will be heard of it. */
  get isOver(): boolean {
    return this.#hasExited && !this.stdout.isOpen && !this.stderr.isOpen;
  }

  on(_event: "exit", listener: ExitListener): void {
    this.#exitListeners.push(listener);
  }

  unref(): void {
    this.#unref();
  }

  exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    for (const listener of this.#exitListeners) listener(code, signal);
  }
}
