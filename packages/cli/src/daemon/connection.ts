import type { Socket } from "node:net";
import type { Client } from "./hookCalls.ts";
import type { HttpDoor } from "./httpDoor.ts";
import { answerFrame, type HookAnswer, type HookRequest, RequestReader, waitFrame } from "./wire.ts";

/** Who sent a line of a command. */
export interface Asker {
  readonly socket: Socket;
  /** Aborted when it is gone. */
  readonly gone: AbortSignal;
}

export interface Answers {
  readonly hook: (request: HookRequest, client: Client) => Promise<HookAnswer>;
  /** May be a promise. */
  readonly control: (line: string, asker: Asker) => unknown;
  readonly http: HttpDoor;
}

/** Longer lines are not ours. */
const LONGEST_LINE = 1024 * 1024;
const OPEN_BRACE = 0x7b;
/** Of `HKL1`. */
const CAPITAL_H = 0x48;

/** One connection. Its first byte tells: the call of a native client, lines of one of our commands, or HTTP. */
export function serveConnection(socket: Socket, answers: Answers): void {
  socket.on("error", () => {}); // it closes, too
  socket.once("data", (first: Buffer) => {
    if (first[0] === OPEN_BRACE) serveLines(socket, first, answers.control);
    else if (first[0] === CAPITAL_H) serveCall(socket, first, answers.hook);
    else answers.http.serve(socket, first);
  });
}

function serveCall(socket: Socket, first: Buffer, answer: Answers["hook"]): void {
  const reader = new RequestReader();
  const gone = new AbortController();
  let isAnswered = false;
  socket.on("close", () => {
    if (!isAnswered) gone.abort();
  });
  const push = (chunk: Buffer) => {
    try {
      const request = reader.push(chunk);
      if (request) reply(request);
    } catch {
      socket.destroy(); // not our protocol: the client says what it says without an answer
    }
  };
  const reply = (request: HookRequest) => {
    const onWait = () => void (socket.writable && socket.write(waitFrame()));
    answer(request, { onWait, gone: gone.signal }).then(
      (given) => {
        isAnswered = true;
        socket.end(answerFrame(given));
      },
      () => socket.destroy(),
    );
  };
  socket.on("data", push);
  push(first);
}

function serveLines(socket: Socket, first: Buffer, answer: Answers["control"]): void {
  let begun = "";
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  const write = (given: unknown) => void (socket.writable && socket.write(`${JSON.stringify(given)}\n`));
  const reply = (line: string) => {
    const given = answer(line, { socket, gone: gone.signal });
    // At once if it can be: the asker may have closed its side, and the rest of the connection follows.
    if (given instanceof Promise) given.then(write, () => socket.destroy());
    else write(given);
  };
  const push = (chunk: string) => {
    begun += chunk;
    if (begun.length > LONGEST_LINE) socket.destroy();
    for (let end = begun.indexOf("\n"); end >= 0; end = begun.indexOf("\n")) {
      const line = begun.slice(0, end);
      begun = begun.slice(end + 1);
      reply(line);
    }
  };
  push(first.toString("utf8"));
  socket.setEncoding("utf8").on("data", push);
}
