import type { Capability, OutcomeName } from "@hookline/engine/program";

/** What becomes of a question where the agent lets no hook ask. */
export const ASKED_BY_HOOKLINE = "hookline asks you (`hookline asks`); without an answer in time, the answer is no";

/** The daemon asks in place of the agent; a dialect only knows that the agent cannot. */
export function isAskedByHookline(
  outcome: OutcomeName,
  able: Pick<Capability, "is"> & { readonly to?: string },
): boolean {
  return outcome === "ask" && able.is === "degraded" && (able.to === "block" || able.to === "stop");
}
