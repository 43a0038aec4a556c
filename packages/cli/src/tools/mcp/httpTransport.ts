import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { withinBounds } from "./boundedBody.ts";

/** The SDK's transport, which reads without bounds, with the bounds of a model's answer. */
export class HttpTransport extends StreamableHTTPClientTransport {
  #fault: string | undefined;

  constructor(url: URL, headers: Record<string, string>) {
    // Redirects are followed within the origin only, which is the SDK's default: the headers may hold a token.
    super(url, {
      requestInit: { headers },
      fetch: async (to, init) =>
        withinBounds(await fetch(to, init), init?.method ?? "GET", (what) => {
          this.#fault ??= what;
          // The SDK would wait for the answer, and connect again to read more of the same.
          void this.close();
        }),
    });
  }

  /** Why it was closed, where this side did it. */
  get ending(): string | undefined {
    return this.#fault;
  }
}
