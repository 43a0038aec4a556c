import { ago } from "../../journal/views/times.ts";
import { durationText } from "../../terminal/duration.ts";
import { counted } from "../../terminal/table.ts";
import { shortened } from "../../terminal/visible.ts";
import { type Finding, ok, type Trouble } from "../finding.ts";
import type { HookReport } from "./hookReports.ts";
import type { History } from "./readHistory.ts";

const OFTEN = 0.2;
const LONGEST_REASON = 200;
const RUN_IT = "Run it alone with `hookline fire` to see its standard error.";

/** One line per hook: its problem, or its state. */
export function hookFindings(hooks: readonly HookReport[], history: History, now: number): readonly Finding[] {
  if (hooks.length === 0) return [ok("no hooks are declared here")];
  return hooks.flatMap((hook): readonly Finding[] => {
    const troubles = troublesOf(hook, history, now);
    return troubles.length > 0 ? troubles : [stateFinding(hook, now)];
  });
}

function troublesOf(hook: HookReport, history: History, now: number): readonly Trouble[] {
  if (hook.state === "broken") {
    return [trouble("error", hook, "is broken and does not run.", "See the settings errors above.")];
  }
  if (hook.state !== "on") return []; // switched off or untrusted, which is reported above
  return [...failing(hook, now), ...failsOpen(hook), ...slow(hook), ...neverSeen(hook, history)];
}

function failing(hook: HookReport, now: number): readonly Trouble[] {
  const { last, runs, failures } = hook;
  if (last && isFailure(last.outcome)) {
    const why = last.reason === undefined ? "" : `: ${shortened(last.reason, LONGEST_REASON)}`;
    return [trouble("error", hook, `${last.outcome} at its last run, ${ago(last.at, now)}${why}`, RUN_IT)];
  }
  if (!failsOften(hook)) return [];
  const what = `failed in ${failures} of ${runs} runs in the last 7 days, but not in its last one.`;
  return [trouble("warning", hook, what, "`hookline log --decision failed` shows when and why.")];
}

/** A guard that seems to protect but lets everything pass. */
function failsOpen(hook: HookReport): readonly Trouble[] {
  const { enforces, onError, last } = hook;
  if (!enforces || onError !== "allow" || !(isFailure(last?.outcome) || failsOften(hook))) return [];
  const what = 'should enforce something, but each of its failures lets everything pass (onError: "allow").';
  return [trouble("warning", hook, what, 'Fix it. To block whenever it fails, write "onError": "block".')];
}

function slow(hook: HookReport): readonly Trouble[] {
  const { p95Us, timeoutMs } = hook;
  if (p95Us === undefined || p95Us <= (timeoutMs * 1_000) / 2) return [];
  const what = `is slow: 1 of 20 runs in the last 7 days took ${durationText(p95Us / 1_000)} or more; its timeout is ${durationText(timeoutMs)}.`;
  return [trouble("warning", hook, what, "Make it faster or raise its `timeout`; `hookline stats` shows more.")];
}

/** Project hooks only: a user or system hook may be meant for another project. */
function neverSeen(hook: HookReport, { events, isTelling }: History): readonly Trouble[] {
  const { event, source, last } = hook;
  const stats = events.find((one) => one.event === event);
  const fired = stats ? stats.matched + stats.unmatched : 0;
  if (last || source !== "project" || !isTelling || fired === 0) return [];
  const times = fired === 1 ? "once" : `${fired} times`;
  const what = `has never run, although ${event} fired ${times}: its matcher may be wrong.`;
  return [trouble("warning", hook, what, `\`hookline explain ${event}\` shows which hooks would run, and why not.`)];
}

function stateFinding({ name, event, place: where, state, last, runs }: HookReport, now: number): Finding {
  const seen = last
    ? `${last.outcome} ${ago(last.at, now)}, ${counted(runs, "run")} in the last 7 days`
    : "has not run yet";
  return { severity: "ok", where, what: `${name} on ${event}: ${state === "on" ? "" : `${state}, `}${seen}` };
}

function isFailure(outcome: string | undefined): boolean {
  return outcome === "failed" || outcome === "abandoned";
}

function failsOften({ runs, failures }: HookReport): boolean {
  return runs > 0 && failures / runs > OFTEN;
}

function trouble(
  severity: Trouble["severity"],
  { name, event, place: where }: HookReport,
  what: string,
  next: string,
): Trouble {
  return { severity, where, what: `${name} on ${event} ${what}`, next };
}
