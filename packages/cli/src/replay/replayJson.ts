import { isoTime } from "../journal/views/times.ts";
import { settingsErrors } from "../project/settingsErrors.ts";
import type { Difference, EventRef } from "./difference.ts";
import { type Group, groupsOf } from "./groups.ts";
import type { ReplayReport } from "./replayRecorded.ts";
import type { Verdict } from "./verdict.ts";

/** The JSON output of `hookline replay`. */
export function replayJson(report: ReplayReport): object {
  const { projectRoot, hookSet, events, hasMore, isInterrupted, leftOut, same, differences, incomparable } = report;
  return {
    projectRoot,
    hooksOf: hookSet.projectRoot,
    events,
    hasMore,
    isInterrupted,
    compared: same + differences.length,
    same,
    different: differences.length,
    differences: groupsOf(differences).map(groupJson),
    notComparable: incomparable.map(({ why, hasFailed, ...event }) => ({
      ...eventJson(event),
      why,
      hookFailed: hasFailed,
    })),
    leftOut,
    notices: report.notices,
    problems: settingsErrors(hookSet),
  };
}

function groupJson(group: Group): object {
  const [{ event, subject, aspects, before, after }] = group;
  return {
    event,
    subject: subject ?? null,
    aspects,
    before: { decision: before.decision, hooks: before.hooks },
    after: { decision: after.decision, hooks: after.hooks },
    count: group.length,
    events: group.map(differenceJson),
  };
}

function differenceJson({ eventId, at, session, before, after, notes }: Difference): object {
  const when = { id: eventId, at: isoTime(at), session };
  return { ...when, before: verdictJson(before), after: verdictJson(after), notes };
}

function verdictJson({ reason, rewrites, failures }: Verdict): object {
  return {
    reason: reason ?? null,
    rewrites: rewrites.map(({ path, before, after, hook }) => ({
      path: path.join("."),
      before: before ?? null,
      after: after ?? null,
      hook,
    })),
    failures,
  };
}

function eventJson({ eventId, at, session, event, subject }: EventRef): object {
  return { id: eventId, at: isoTime(at), session, event, subject: subject ?? null };
}
