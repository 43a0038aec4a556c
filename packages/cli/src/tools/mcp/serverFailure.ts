import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { headOf, tailOf } from "../../terminal/cutText.ts";
import type { ServerTransport } from "./openTransport.ts";
import { StdioTransport } from "./stdioTransport.ts";

const LAST_WORDS = 1_000;
const LONGEST_REASON = 1_000;

/** Explains why a server did not answer, as the end of a sentence, followed by lines of its last output. */
export async function explainFailure(error: unknown, transport: ServerTransport, timeoutMs: number): Promise<string> {
  if (!(transport instanceof StdioTransport)) return transport.ending ?? reasonOf(error, timeoutMs);
  if (!(error instanceof McpError)) await transport.settle();
  const reason = transport.ending ?? reasonOf(error, timeoutMs);
  const words = transport.lastWords;
  return words === "" ? reason : `${reason}\nIt wrote:\n${tailOf(words, LAST_WORDS)}`;
}

/** Whether the next call needs a new connection. A process is gone only once it has exited, which `ending` reports. */
export function isGone(error: unknown, transport: ServerTransport): boolean {
  if (transport.ending !== undefined) return true;
  if (transport instanceof StdioTransport) return false;
  return error instanceof TypeError || (error instanceof StreamableHTTPError && error.code === 404);
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) {
    return `it did not answer within ${timeoutMs >= 1_000 ? `${Math.round(timeoutMs / 1_000)} s` : `${timeoutMs} ms`}`;
  }
  if (!(error instanceof Error)) return String(error);
  // fetch throws "fetch failed", with the reason in its cause.
  const { cause } = error;
  return headOf(cause instanceof Error && cause.message !== "" ? cause.message : error.message, LONGEST_REASON);
}
