import type { Socket } from "node:net";
import { type ConnectedProcess, spawnConnected } from "../spawnGroup.ts";
import { type Frame, FrameReader } from "./spawnerFrames.ts";

export interface SpawnerListener {
  onFrame(frame: Frame): void;
  /** Called once. */
  onLost(): void;
}

/** `hookline-spawn`, started, and the socket pair to it. It keeps the caller's process alive only between `ref` and `unref`. */
export class SpawnerConnection {
  readonly #child: ConnectedProcess["child"];
  readonly #socket: Socket;

  constructor({ child, socket }: ConnectedProcess, { onFrame, onLost }: SpawnerListener) {
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
    const started = spawnConnected(file);
    return started && new SpawnerConnection(started, listener);
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
