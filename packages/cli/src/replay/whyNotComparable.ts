import { isFields } from "@hookline/engine/program";
import type { JournalRecord, LogItem } from "@hookline/journal";
import { appliedRuns, objectors } from "@hookline/journal/program";
import { EVENT_NAMES } from "../project/eventNamed.ts";

/** Why an event cannot be fired again unchanged, or why its result says nothing about the project's hooks. */
export function whyNotComparable(
  item: LogItem,
  isLeftOut: (event: string, hook: string) => boolean,
): string | undefined {
  const { event = "", body } = item.record;
  if (body.redacted) return "a secret was redacted from its record";
  if (body.originals) return "the text that a hook removed was not kept (hooksConfig.journal.originals keeps it)";
  if (body.cut) return "its payload was too long and was truncated";
  if (!isFields(body.input)) return "its record cannot be read";
  if (!EVENT_NAMES.includes(event)) return `this version does not know the event ${event}`;
  const runs = appliedRuns(item);
  if (runs.some((run) => run.body.failure === "aborted")) return "it was cancelled while its hooks were running";
  return decidedByOthers(deciders(item, runs), (hook) => isLeftOut(event, hook));
}

/** The runs that objected or rewrote something. */
function deciders(item: LogItem, runs: readonly JournalRecord[]): readonly JournalRecord[] {
  const rewriters = new Set((item.record.body.rewrites ?? []).map(({ hook }) => hook));
  return [...objectors(item), ...runs.filter(({ hook }) => hook !== undefined && rewriters.has(hook))];
}

function decidedByOthers(runs: readonly JournalRecord[], isLeftOut: (hook: string) => boolean): string | undefined {
  for (const { hook = "", body } of runs) {
    if (body.hook?.source !== "project") return `hook ${hook} is not a project hook (${body.hook?.source})`;
    if (isLeftOut(hook)) return `hook ${hook} is replay: skip`;
    // The trust gate objected, not the hook.
    if (body.failure === "untrusted") return `hook ${hook} was not trusted then`;
  }
  return undefined;
}
