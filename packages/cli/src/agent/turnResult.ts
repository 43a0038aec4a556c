import type { HookVerdict, ToolResult } from "@hookline/engine";

export type CallStatus = "success" | "error" | "blocked" | "denied" | "cancelled";

export interface CallReport {
  readonly name: string;
  readonly args: unknown;
  readonly status: CallStatus;
  readonly blockedBy?: string;
}

/** Who ended a turn, where, and why. Several hooks are named together. */
export interface Stopped {
  readonly event: string;
  readonly hook: string;
  readonly reason: string;
}

/** How a turn ended: exactly one is true. */
export type TurnEnd =
  | { readonly kind: "finished" }
  | { readonly kind: "stopped"; readonly by: Stopped }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface TurnResult {
  /** The answer that stands; of a turn that was stopped, what was said before. */
  readonly response: string;
  readonly end: TurnEnd;
}

export const FINISHED: TurnEnd = { kind: "finished" };
export const CANCELLED: TurnEnd = { kind: "cancelled" };

export function stoppedBy(
  event: string,
  { reason = "No reason provided", objectors = [] }: Partial<HookVerdict>,
): TurnEnd {
  return { kind: "stopped", by: { event, hook: objectors.join(", "), reason } };
}

export function statusOf({ error }: ToolResult): CallStatus {
  switch (error?.type) {
    case undefined:
      return error ? "error" : "success";
    case "blocked_by_hook":
    case "stopped_by_hook":
      return "blocked";
    case "not_approved":
      return "denied";
    case "cancelled":
      return "cancelled";
    default:
      return "error";
  }
}
