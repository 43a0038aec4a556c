import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Client } from "./hookCalls.ts";
import { readHead } from "./requestHead.ts";
import { type HookAnswer, type HookRequest, MAX_BYTES, MAX_HEAD_BYTES } from "./wire.ts";

type Answer = (request: HookRequest, client: Client) => Promise<HookAnswer>;

/** A call whose client was told that a person is being asked. */
interface Waiting {
  readonly answer: Promise<HookAnswer>;
  readonly gone: AbortController;
}

/** How soon the client must come for the answer, once a person is being asked. Later, it is gone. */
const FETCHED_WITHIN_MS = 10_000;
/** In base64, beside a few other lines. */
const MOST_HEADER_BYTES = Math.ceil((MAX_HEAD_BYTES * 4) / 3) + 64 * 1024;

/**
 * HTTP on the daemon's socket, for clients that are not native. `POST /calls` has the head of the wire in the header `hookline-head`, as
 * base64, and the payload as its body. The answer comes at once, or, while a person is asked, from `GET /answers/<ticket>`.
 */
export class HttpDoor {
  readonly #answer: Answer;
  readonly #waiting = new Map<string, Waiting>();
  readonly #server: Server;

  constructor(answer: Answer) {
    this.#answer = answer;
    // It never listens: it is handed connections. A payload may take as long as the agent's deadline, which ends the client.
    this.#server = createServer({ maxHeaderSize: MOST_HEADER_BYTES, requestTimeout: 0 }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** `first` is what was read of the connection already. */
  serve(socket: Socket, first: Buffer): void {
    socket.unshift(first);
    this.#server.emit("connection", socket);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("connection", "close");
    const [, folder, ticket = ""] = (request.url ?? "").split("/");
    if (request.method === "POST" && folder === "calls") await this.#take(request, response);
    else if (request.method === "GET" && folder === "answers") await this.#hand(ticket, response);
    else response.writeHead(404).end();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readRequest(request);
    if (call === undefined) return void response.writeHead(400).end();
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    let onWait = () => {};
    const asked = new Promise<"asked">((resolve) => {
      onWait = () => resolve("asked");
    });
    const answer = this.#answer(call, { onWait: () => onWait(), gone: gone.signal });
    const first = await Promise.race([answer, asked]);
    if (first !== "asked") return send(response, first);
    response.writeHead(202, { "hookline-ticket": this.#keep({ answer, gone }) }).end();
  }

  async #hand(ticket: string, response: ServerResponse): Promise<void> {
    const waiting = this.#waiting.get(ticket);
    if (waiting === undefined) return void response.writeHead(404).end();
    this.#waiting.delete(ticket);
    response.on("close", () => waiting.gone.abort());
    send(response, await waiting.answer);
  }

  #keep(waiting: Waiting): string {
    waiting.answer.catch(() => {}); // said when it is fetched
    const ticket = randomBytes(16).toString("hex");
    this.#waiting.set(ticket, waiting);
    setTimeout(() => {
      if (this.#waiting.delete(ticket)) waiting.gone.abort();
    }, FETCHED_WITHIN_MS);
    return ticket;
  }
}

/** Undefined if it is not a call, or too large. */
async function readRequest(request: IncomingMessage): Promise<HookRequest | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const head = readHead(Buffer.from(String(request.headers["hookline-head"] ?? ""), "base64"));
    return { ...head, payload: Buffer.concat(chunks) };
  } catch {
    return undefined;
  }
}

/** Standard output, then standard error. The length lets the client notice an answer that was cut off. */
function send(response: ServerResponse, { exitCode, stdout, stderr }: HookAnswer): void {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  const lengths = { "hookline-stdout": out.length, "hookline-stderr": err.length };
  response.writeHead(200, { "hookline-exit": exitCode, ...lengths, "content-length": out.length + err.length });
  response.end(Buffer.concat([out, err]));
}
