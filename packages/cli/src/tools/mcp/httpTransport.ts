import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { withinBounds } from "./boundedBody.ts";

/** Adds the limits of a model's answer to the SDK's transport, which has none. */
export class HttpTransport extends StreamableHTTPClientTransport {
  #fault: string | undefined;

  constructor(url: URL, headers: Record<string, string>) {
    // Follows redirects within the origin only, the SDK's default: the headers may contain a token.
    super(url, {
      requestInit: { headers },
      fetch: async (to, init) =>
        withinBounds(await fetch(to, init), init?.method ?? "GET", (what) => {
          this.#fault ??= what;
          // Without this, the SDK would keep waiting and reconnect for the same answer.
          void this.close();
        }),
    });
  }

  /** Why this side closed the connection, if it did. */
  get ending(): string | undefined {
    return this.#fault;
  }
}
