import { createHash } from "node:crypto";
import { type DecodedCall, DIALECTS, type Dialect, decodeCall, type HostEvent } from "@hookline/engine/program";
import type { HookRequest } from "./wire.ts";

/** A call of a host, as far as it could be read. */
export interface HostCall {
  readonly request: HookRequest;
  readonly dialect: Dialect;
  readonly decoded: DecodedCall;
  /** Empty if the host names none. */
  readonly session: string;
}

/** Undefined for a host that we have no table for. */
export function readCall(request: HookRequest): HostCall | undefined {
  const dialect = Object.hasOwn(DIALECTS, request.host)
    ? Object.values(DIALECTS).find(({ name }) => name === request.host)
    : undefined;
  if (!dialect) return undefined;
  const payload = parsed(request.payload);
  const decoded = decodeCall(dialect, request.event, payload);
  return { request, dialect, decoded, session: decoded.kind === "event" ? sessionOf(decoded) : "" };
}

/**
 * What makes two calls the same one: an agent that reads two settings files may call us twice for one thing it does. Any difference makes a
 * new call, because ids of calls come from the model's server and repeat. Undefined if the call has no id.
 */
export function identityOf({ decoded, request, session }: HostCall): string | undefined {
  if (decoded.kind !== "event") return undefined;
  const [part] = decoded.parts;
  const { tool_call_id } = part?.fields ?? {};
  if (typeof tool_call_id !== "string" || tool_call_id === "" || session === "") return undefined;
  const digest = createHash("sha256").update(JSON.stringify(decoded.parts)).digest("hex");
  return JSON.stringify([
    request.host,
    session,
    request.event,
    tool_call_id,
    request.cwd,
    request.trustProject,
    digest,
  ]);
}

/** Undefined if it is not JSON: the table refuses what is not an object, and says so. */
function parsed(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString("utf8"));
  } catch {
    return undefined;
  }
}

function sessionOf({ parts }: HostEvent): string {
  const { session_id } = parts[0]?.fields ?? {};
  return typeof session_id === "string" ? session_id : "";
}
