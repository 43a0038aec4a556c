import type { HookVerdict, ToolResult } from "@hookline/engine";

export type CallStatus = "success" | "error" | "blocked" | "denied" | "cancelled";

export interface CallReport {
  readonly name: string;
  readonly args: unknown;
  readonly status: CallStatus;
  readonly blockedBy?: string;
}

/** The hooks that ended a turn, at which event, and why. Several names are joined. */
export interface Stopped {
  readonly event: string;
  readonly hook: string;
  readonly reason: string;
}

/** The end of a turn. */
export type TurnEnd =
  | { readonly kind: "finished" }
  | { readonly kind: "stopped"; readonly by: Stopped }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface TurnResult {
  /** The final answer; for a stopped turn, the text before the stop. */
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
