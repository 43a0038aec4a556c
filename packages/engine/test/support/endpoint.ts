import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real server on this machine, gone when the test ends; it remembers every request and counts its connections. */
export async function endpoint(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  {
    tls,
    host = "127.0.0.1",
  }: { readonly tls?: { readonly key: string; readonly cert: string }; readonly host?: string } = {},
) {
  const seen: Seen[] = [];
  const listener: RequestListener = async (request, response) => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, headers, body: await text(request) });
    answer(response, request);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.keepAliveTimeout = 600_000;
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = tls ? "https" : "http";
  return { server, seen, connections, port, url: `${scheme}://127.0.0.1:${port}/hook` };
}

/** The same below HTTP: whoever connects is handed over. */
export async function rawEndpoint(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets, url: `http://127.0.0.1:${port}/hook` };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
