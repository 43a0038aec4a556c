import { type HookDeclaration, type Place, takesEffect } from "@hookline/engine/program";
import type { LastOutcome } from "@hookline/journal";
import { journalName, lastByHook } from "@hookline/journal/program";
import type { DoctorContext } from "../doctorContext.ts";
import { isTrusted } from "../projectTrust.ts";
import type { History } from "./readHistory.ts";

/** A declared hook with its history in this project. */
export interface HookReport {
  readonly name: string;
  readonly event: string;
  readonly source: string;
  readonly place: Place;
  readonly state: "on" | "off" | "broken" | "untrusted";
  /** Its objections take effect. */
  readonly enforces: boolean;
  readonly onError: "allow" | "block";
  readonly timeoutMs: number;
  /** Undefined if the hook has never run. */
  readonly last: LastOutcome | undefined;
  // In the last 7 days.
  readonly runs: number;
  readonly failures: number;
  readonly p95Us: number | undefined;
}

/** The journal identifies a hook by name and source: hooks that share both share their history. */
export function hookReports(
  { loaded, trust }: Pick<DoctorContext, "loaded" | "trust">,
  history: History,
): readonly HookReport[] {
  const lastOf = lastByHook(history.last);
  return loaded.hooks.map((hook) => {
    const { name, eventName: event, source, place, onError, timeoutMs } = hook;
    const stats = history.stats.find((one) => one.hook === journalName(name) && one.source === source);
    const state = isTrusted(trust, hook) ? stateOf(hook) : "untrusted";
    const enforces = takesEffect(hook);
    const counts = { runs: stats?.runs ?? 0, failures: stats?.failures ?? 0, p95Us: stats?.p95Us };
    return { name, event, source, place, state, enforces, onError, timeoutMs, last: lastOf(hook), ...counts };
  });
}

function stateOf({ off }: HookDeclaration): HookReport["state"] {
  if (off === undefined) return "on";
  return off.kind === "switch" ? "off" : off.kind;
}
