import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What a server does with one request. They are used up in their order. */
export type Reply =
  | {
      readonly kind: "json";
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text is sent as it is, anything else as JSON. */
      readonly body: unknown;
    }
  | {
      readonly kind: "stream";
      /** The data of each event: text as it is, anything else as JSON. */
      readonly events: readonly unknown[];
      /** How it ends after the last event: properly, with the connection reset, or not at all. */
      readonly ending?: "end" | "reset" | "never";
    }
  /** Whatever a hostile server does. */
  | { readonly kind: "raw"; readonly send: (response: ServerResponse) => void };

export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** When the answer has been sent, or nobody waits for it any more. */
  readonly closed: Promise<void>;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** What came in so far. */
  readonly requests: readonly ReceivedRequest[];
  /** The end of the test calls it, too. */
  close(): Promise<void>;
}

/** A server on loopback that follows a script. When it is used up, requests are refused in a way that nobody retries. */
export async function startModelServer(
  replies: readonly Reply[],
  refusal: (message: string) => Reply,
): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const script = [...replies];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || "{}");
    const closed = new Promise<void>((resolve) => response.on("close", resolve));
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body, closed });
    await answer(response, script.shift() ?? refusal("The script has no more replies"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${address.port}`, requests, close };
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  switch (reply.kind) {
    case "raw":
      reply.send(response);
      return;
    case "json": {
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(asText(reply.body));
      return;
    }
    case "stream": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      for (const event of reply.events) {
        await new Promise((sent) => response.write(`data: ${asText(event)}\n\n`, sent));
      }
      if (reply.ending === "reset") response.socket?.resetAndDestroy();
      else if (reply.ending !== "never") response.end();
      return;
    }
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
