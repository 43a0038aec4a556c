import { endianness } from "node:os";

// The frames between the engine and `hookline-spawn`; `packages/spawner/src/engine.h` defines them. Both are on one machine, so numbers
// have its byte order.
const IS_LITTLE = endianness() === "LE";
const LENGTH_BYTES = 4;
const HEAD_BYTES = 9;

/** What we ask for. */
export const REQUEST = {
  input: 0x69, // "i"
  run: 0x72, // "r"
  sendSignal: 0x6b, // "k"
  dropOutput: 0x64, // "d"
  closeOutput: 0x63, // "c"
} as const;

/** What it reports. */
export const REPORT = {
  ready: 0x68, // "h"
  started: 0x73, // "s"
  failed: 0x66, // "f"
  unable: 0x75, // "u"
  stdout: 0x31, // "1"
  stderr: 0x32, // "2"
  signalled: 0x6b, // "k"
  exited: 0x78, // "x"
} as const;

export interface Frame {
  readonly kind: number;
  /** The number of the process that it is about. */
  readonly id: number;
  readonly body: Buffer;
}

/** A frame, whose body may come in parts. */
export function encodeFrame(kind: number, id: number, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  const length = parts.reduce((sum, part) => sum + part.length, HEAD_BYTES - LENGTH_BYTES);
  head.set(numbers(length));
  head[LENGTH_BYTES] = kind;
  head.set(numbers(id), LENGTH_BYTES + 1);
  return Buffer.concat([head, ...parts]);
}

export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  for (const [index, value] of values.entries()) {
    if (IS_LITTLE) bytes.writeUInt32LE(value, 4 * index);
    else bytes.writeUInt32BE(value, 4 * index);
  }
  return bytes;
}

export function numberAt(bytes: Buffer, offset: number): number {
  return IS_LITTLE ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #rest: Buffer | undefined;

  read(chunk: Buffer, take: (frame: Frame) => void): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + LENGTH_BYTES + numberAt(bytes, at);
      if (end > bytes.length) break;
      const kind = bytes[at + LENGTH_BYTES] ?? 0;
      take({ kind, id: numberAt(bytes, at + LENGTH_BYTES + 1), body: bytes.subarray(at + HEAD_BYTES, end) });
      at = end;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : undefined;
  }
}
