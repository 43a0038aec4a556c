import { randomUUID } from "node:crypto";
import type { HookEventName } from "@hookline/engine";
import type { ServedProject } from "./servedProject.ts";

export interface Unasked {
  readonly ours: HookEventName;
  readonly why: string;
  readonly isRefused: boolean;
}

export interface UnaskedCall {
  readonly host: string;
  /** The host's name for it. */
  readonly event: string;
  readonly session: string;
  readonly cwd: string;
  /** Default: now. */
  readonly at?: number;
}

/** Records a call that hooks could not be asked about. */
export function recordUnasked(
  { project }: ServedProject,
  { host: name, event, session, cwd, at = Date.now() }: UnaskedCall,
  { ours: eventName, why, isRefused }: Unasked,
): void {
  const eventId = randomUUID();
  const host = { name, event, seat: "command" };
  const facts = { session_id: session, cwd, hook_event_name: eventName };
  const input = { ...facts, timestamp: new Date(at).toISOString(), host };
  project.journal?.record({ kind: "eventMatched", eventId, eventName, subject: undefined, sequential: false, input });
  project.journal?.record({
    kind: "merged",
    eventId,
    eventName,
    decision: isRefused ? "block" : "allow",
    reason: isRefused ? why : undefined,
    rewrites: [],
    notes: [`hooks could not be asked: ${why}`],
    success: false,
    durationMs: 0,
  });
}
