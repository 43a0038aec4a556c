import { randomUUID } from "node:crypto";
import type { HookEventName } from "@hookline/engine";
import type { HostCall } from "./hostCall.ts";
import type { ServedProject } from "./servedProject.ts";

export interface Unasked {
  readonly ours: HookEventName;
  readonly why: string;
  readonly isRefused: boolean;
}

/** Records a call that hooks could not be asked about. */
export function recordUnasked(
  { project }: ServedProject,
  { request, session, dialect }: HostCall,
  { ours: eventName, why, isRefused }: Unasked,
): void {
  const eventId = randomUUID();
  const host = { name: dialect.name, event: request.event, seat: "command" };
  const facts = { session_id: session, cwd: request.cwd, hook_event_name: eventName };
  const input = { ...facts, timestamp: new Date().toISOString(), host };
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
