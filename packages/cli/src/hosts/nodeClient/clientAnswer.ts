import { connect } from "node:net";

/** What the client prints, and how it exits. */
export interface ClientAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Exchange =
  | { readonly kind: "answered"; readonly answer: ClientAnswer }
  /** No process listens: the call was not read. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly why: string };

interface Deadlines {
  /** Milliseconds from now. */
  readonly leftMs: number;
  /** How much more, once a person is being asked. */
  readonly moreMs: number;
}

const FRAME_START = 5;
const MOST_BYTES = 64 * 1024 * 1024;
const WAIT = 0x77;
const ANSWER = 0x61;

/** Sends one request and waits for the answer. Nothing counts before the answer is whole. */
export function exchange(socketPath: string, request: Buffer, { leftMs, moreMs }: Deadlines): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(request));
    let received: Buffer = Buffer.alloc(0);
    let timer = setTimeout(() => end({ kind: "failed", why: "the daemon did not answer before the deadline" }), leftMs);
    const end = (result: Exchange) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    socket.on("data", (chunk) => {
      const { frames, rest } = framesIn(Buffer.concat([received, chunk]));
      received = rest;
      const last = frames.at(-1);
      if (last?.kind === ANSWER) return end(answerIn(last.body));
      if (!isFrameStart(rest)) return end({ kind: "failed", why: "the daemon sent something that is not an answer" });
      if (last === undefined) return undefined;
      clearTimeout(timer);
      timer = setTimeout(() => end({ kind: "failed", why: "no person answered before the deadline" }), leftMs + moreMs);
      return undefined;
    });
    socket.on("error", (error) => end(failureOf(error)));
    socket.on("close", () => end({ kind: "failed", why: "the daemon ended before it had answered" }));
  });
}

interface Frame {
  readonly kind: number;
  readonly body: Buffer;
}

function framesIn(bytes: Buffer): { readonly frames: readonly Frame[]; readonly rest: Buffer } {
  const frames: Frame[] = [];
  let rest = bytes;
  while (isFrameStart(rest) && rest.length >= FRAME_START && rest.length >= FRAME_START + rest.readUInt32BE(1)) {
    const end = FRAME_START + rest.readUInt32BE(1);
    frames.push({ kind: rest[0] ?? 0, body: rest.subarray(FRAME_START, end) });
    rest = rest.subarray(end);
  }
  return { frames, rest };
}

function isFrameStart(bytes: Buffer): boolean {
  const [kind] = bytes;
  const length = bytes.length < FRAME_START ? 0 : bytes.readUInt32BE(1);
  return (kind === undefined || kind === WAIT || kind === ANSWER) && length <= MOST_BYTES;
}

/** The exit code, the length of standard output, standard output; the rest is standard error. */
function answerIn(body: Buffer): Exchange {
  const stdoutAt = 5;
  const stderrAt = body.length < stdoutAt ? Number.POSITIVE_INFINITY : stdoutAt + body.readUInt32BE(1);
  if (stderrAt > body.length) return { kind: "failed", why: "the daemon sent a malformed answer" };
  const [stdout, stderr] = [body.toString("utf8", stdoutAt, stderrAt), body.toString("utf8", stderrAt)];
  return { kind: "answered", answer: { exitCode: body[0] ?? 1, stdout, stderr } };
}

function failureOf(error: Error): Exchange {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ECONNREFUSED") return { kind: "absent" };
  return { kind: "failed", why: `the daemon cannot be reached: ${error.message}` };
}
