import { connect } from "node:net";
import type { HostAnswer } from "@hookline/engine/program";
import { FRAME_KINDS, LENGTH_BYTES, MAX_BYTES } from "../../daemon/wire.ts";

export type Exchange =
  | { readonly kind: "answered"; readonly answer: HostAnswer }
  /** No process listens: the call was not read. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly why: string; readonly personIsAsked: boolean };

interface Deadlines {
  /** Milliseconds from now. */
  readonly leftMs: number;
  /** How much more, once a person is being asked. */
  readonly moreMs: number;
}

const FRAME_START = 1 + LENGTH_BYTES;
const WAIT = FRAME_KINDS.wait.charCodeAt(0);
const ANSWER = FRAME_KINDS.answer.charCodeAt(0);

/** Sends one request and waits for the answer. Nothing counts before the answer is whole. */
export function exchange(socketPath: string, request: Buffer, { leftMs, moreMs }: Deadlines): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(request));
    let received: Buffer = Buffer.alloc(0);
    let personIsAsked = false;
    let timer = setTimeout(() => fail("the daemon did not answer before the deadline"), leftMs);
    const end = (result: Exchange) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const answer = (body: Buffer) => {
      const read = answerIn(body);
      return read === undefined ? fail("the daemon sent a malformed answer") : end({ kind: "answered", answer: read });
    };
    const fail = (why: string) => end({ kind: "failed", why, personIsAsked });
    socket.on("data", (chunk) => {
      const { frames, rest } = framesIn(Buffer.concat([received, chunk]));
      received = rest;
      const last = frames.at(-1);
      personIsAsked ||= frames.some(({ kind }) => kind === WAIT);
      if (last?.kind === ANSWER) return answer(last.body);
      if (!isFrameStart(rest)) return fail("the daemon sent something that is not an answer");
      if (last === undefined) return undefined;
      clearTimeout(timer);
      timer = setTimeout(() => fail("no person answered before the deadline"), leftMs + moreMs);
      return undefined;
    });
    socket.on("error", (error) =>
      isAbsence(error) ? end({ kind: "absent" }) : fail(`the daemon cannot be reached: ${error.message}`),
    );
    socket.on("close", () => fail("the daemon ended before it had answered"));
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
  return (kind === undefined || kind === WAIT || kind === ANSWER) && length <= MAX_BYTES;
}

/** The exit code, the length of standard output, standard output; the rest is standard error. */
function answerIn(body: Buffer): HostAnswer | undefined {
  const stdoutAt = 1 + LENGTH_BYTES;
  const stderrAt = body.length < stdoutAt ? Number.POSITIVE_INFINITY : stdoutAt + body.readUInt32BE(1);
  if (stderrAt > body.length) return undefined;
  const [stdout, stderr] = [body.toString("utf8", stdoutAt, stderrAt), body.toString("utf8", stderrAt)];
  return { exitCode: body[0] ?? 1, stdout, stderr };
}

function isAbsence(error: Error): boolean {
  return "code" in error && (error.code === "ENOENT" || error.code === "ECONNREFUSED");
}
