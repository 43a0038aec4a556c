import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { type Frame, FrameReader } from "./spawnerFrames.ts";

export interface SpawnerListener {
  onFrame(frame: Frame): void;
  /** Called once. */
  onLost(): void;
}

/** `hookline-spawn`, started, and the socket pair to it. It keeps the caller's process alive only between `ref` and `unref`. */
export class SpawnerConnection {
  readonly #child: ChildProcess;
  readonly #socket: Socket;

  constructor(child: ChildProcess, socket: Socket, { onFrame, onLost }: SpawnerListener) {
    this.#child = child;
    this.#socket = socket;
    const reader = new FrameReader();
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      this.close();
      onLost();
    };
    child.on("error", lose).on("exit", lose).unref();
    socket.on("data", (chunk: Buffer) => reader.read(chunk, onFrame));
    socket.on("error", lose).on("close", lose).unref();
  }

  /** Undefined if it cannot be started. */
  static open(file: string, listener: SpawnerListener): SpawnerConnection | undefined {
    try {
      // A session of its own, so that Ctrl-C at the terminal does not end it.
      const child = spawn(file, {
        stdio: ["ignore", "ignore", "ignore", "pipe"],
        detached: true,
        env: {},
        cwd: "/",
      });
      child.on("error", () => {}); // it is missing, or for another kind of machine
      const socket = child.stdio[3];
      return child.pid === undefined || !(socket instanceof Socket)
        ? undefined
        : new SpawnerConnection(child, socket, listener);
    } catch {
      return undefined; // short of descriptors or processes
    }
  }

  send(frame: Buffer): void {
    this.#socket.write(frame);
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** The spawner ends, with everything that it started. SIGKILL, because it may have been stopped. */
  close(): void {
    this.#socket.destroy();
    this.#child.kill("SIGKILL");
  }
}
