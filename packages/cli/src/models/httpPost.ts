import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The parts of a response that we use; the response of `fetch` fits too. */
export interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Like `fetch` without redirects. Loading `fetch` took a fifth of the time from the start to the first request. */
export async function httpPost(url: string, { headers, body, signal }: Post): Promise<HttpAnswer> {
  const isSecure = new URL(url).protocol === "https:";
  const { request } = isSecure ? await import("node:https") : await import("node:http");
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: "POST", headers: { ...ACCEPTED, ...headers }, signal })
      .once("response", resolve)
      .on("error", reject)
      .end(body);
  });
  const { statusCode: status = 0 } = response;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => [response.headers[name] ?? []].flat().join(", ") || null },
    body: await decoded(response),
  };
}

const ACCEPTED = { accept: "*/*", "accept-encoding": "gzip, deflate" };

async function decoded(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return response;
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const decoders: Readonly<Record<string, () => Duplex>> = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (decoder === undefined) {
    response.destroy(); // an unread body would keep the connection open and the program alive
    throw new Error(`the answer is encoded as ${encoding}, which was not requested`);
  }
  const { pipeline } = await import("node:stream");
  // The decoder passes errors on to the reader.
  return pipeline(response, decoder, () => {});
}
