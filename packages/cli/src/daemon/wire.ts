import { type HookHead, readHead, WireError } from "./requestHead.ts";

export { WireError } from "./requestHead.ts";

/** What the native client sends: a hook call of a host, with the payload as the host wrote it. */
export interface HookRequest extends HookHead {
  readonly payload: Buffer;
}

/** What the client prints, and how it exits. */
export interface HookAnswer {
  readonly exitCode: number;
  readonly stdout: string | Uint8Array;
  readonly stderr: string | Uint8Array;
}

export const MAGIC = "HKL1\n";
export const LENGTH_BYTES = 4;
export const FRAME_KINDS = { wait: "w", answer: "a" } as const;
export const MAX_HEAD_BYTES = 1024 * 1024;
/** Of a payload, and of a frame. The client has the same limit. */
export const MAX_BYTES = 64 * 1024 * 1024;

type Part = "magic" | "headLength" | "head" | "payloadLength" | "payload" | "end";

/** Reads one request from the chunks of a connection. Each byte is copied at most once, however small the chunks are. */
export class RequestReader {
  #part: Part = "magic";
  #needed = MAGIC.length;
  #chunks: Buffer[] = [];
  #length = 0;
  #head: HookHead | undefined;

  /** Returns the request with the chunk that completes it. Throws a WireError at the first byte that cannot be right. */
  push(chunk: Buffer): HookRequest | undefined {
    let rest = chunk;
    for (;;) {
      if (this.#part === "end" && rest.length > 0) throw new WireError("There are bytes after the request.");
      const taken = rest.subarray(0, this.#needed - this.#length);
      if (taken.length > 0) this.#chunks.push(taken);
      this.#length += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#part === "magic") this.#checkMagic();
      if (this.#part === "end" || this.#length < this.#needed) return undefined;
      const request = this.#finish(this.#takeBytes());
      if (request !== undefined && rest.length > 0) throw new WireError("There are bytes after the request.");
      if (request !== undefined) return request;
    }
  }

  #checkMagic(): void {
    const start = Buffer.concat(this.#chunks).toString("latin1");
    if (!MAGIC.startsWith(start)) throw new WireError(`A request must start with ${JSON.stringify(MAGIC)}.`);
  }

  #takeBytes(): Buffer {
    const [only = Buffer.alloc(0), ...others] = this.#chunks;
    const bytes = others.length === 0 ? only : Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [];
    this.#length = 0;
    return bytes;
  }

  #finish(bytes: Buffer): HookRequest | undefined {
    switch (this.#part) {
      case "magic":
        return this.#expect("headLength", LENGTH_BYTES);
      case "headLength":
        return this.#expect("head", lengthOf("head", bytes, MAX_HEAD_BYTES));
      case "head":
        this.#head = readHead(bytes);
        return this.#expect("payloadLength", LENGTH_BYTES);
      case "payloadLength":
        return this.#expect("payload", lengthOf("payload", bytes, MAX_BYTES));
      case "payload":
        this.#expect("end", 0);
        return this.#head && { ...this.#head, payload: bytes };
      case "end":
        return undefined;
    }
  }

  #expect(part: Part, bytes: number): undefined {
    this.#part = part;
    this.#needed = bytes;
  }
}

/** A person is being asked: the client waits until its second deadline. */
export function waitFrame(): Buffer {
  return frame(FRAME_KINDS.wait, []);
}

/** The last frame of a connection. */
export function answerFrame({ exitCode, stdout, stderr }: HookAnswer): Buffer {
  if (!Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
    throw new RangeError(`An exit code is between 0 and 255, not ${exitCode}.`);
  }
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  return frame(FRAME_KINDS.answer, [Buffer.from([exitCode]), lengthPrefix(out.length), out, err]);
}

function frame(kind: (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS], body: readonly Buffer[]): Buffer {
  const length = body.reduce((sum, part) => sum + part.length, 0);
  if (length > MAX_BYTES) throw new RangeError(`A frame has at most ${MAX_BYTES} bytes, this one has ${length}.`);
  return Buffer.concat([Buffer.from(kind), lengthPrefix(length), ...body]);
}

export function lengthPrefix(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(length);
  return bytes;
}

function lengthOf(name: string, bytes: Buffer, most: number): number {
  const length = bytes.readUInt32BE();
  if (length > most) throw new WireError(`The ${name} has ${length} bytes; at most ${most} are allowed.`);
  return length;
}
