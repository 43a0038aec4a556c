import { setMaxListeners } from "node:events";
import { isFields } from "@hookline/engine/program";
import type { LogItem } from "@hookline/journal";
import { aspectsOf, type Difference, type EventRef, refOf } from "./difference.ts";
import { failedInCopy } from "./failedInCopy.ts";
import type { MovedPaths } from "./movedPaths.ts";
import { recordedInput } from "./recordedInput.ts";
import type { ReplayHooks } from "./replayHooks.ts";
import { recordedVerdict } from "./verdict.ts";
import { whyNotComparable } from "./whyNotComparable.ts";

const AT_ONCE = 4;

export interface ReplayOptions {
  readonly hooks: ReplayHooks;
  readonly paths: MovedPaths;
  /** Whether replays skip a hook. */
  readonly isLeftOut: (event: string, hook: string) => boolean;
  readonly signal: AbortSignal;
  /** Called after each event. */
  readonly onDone: () => void;
}

/** An event that cannot be compared, and why. */
export interface Incomparable extends EventRef {
  readonly why: string;
  /** A hook fails now, which deserves a warning; other causes lie in the record. */
  readonly hasFailed: boolean;
}

/** The result of a replay, each list oldest first. After an interruption it has only the finished events. */
export interface Replay {
  readonly same: number;
  readonly differences: readonly Difference[];
  readonly incomparable: readonly Incomparable[];
}

type Outcome =
  | { readonly kind: "same" }
  | { readonly kind: "different"; readonly difference: Difference }
  | { readonly kind: "incomparable"; readonly event: Incomparable };

/** Replays a few events in parallel, in the order of their recording. */
export async function replayAll(events: Iterable<LogItem>, options: ReplayOptions): Promise<Replay> {
  const outcomes = new Map<number, Outcome>();
  const signal = AbortSignal.any([options.signal]);
  // Every running hook adds a listener.
  setMaxListeners(0, signal);
  const left = events[Symbol.iterator]();
  const replayRest = async () => {
    for (let next = left.next(); !next.done && !options.signal.aborted; next = left.next()) {
      const outcome = await replayEvent(next.value, { ...options, signal });
      // An interrupted event has no decision.
      if (options.signal.aborted) return;
      outcomes.set(next.value.record.id, outcome);
      options.onDone();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, replayRest));
  return gathered([...outcomes].sort(([one], [other]) => one - other).map(([, outcome]) => outcome));
}

async function replayEvent(item: LogItem, { hooks, paths, isLeftOut, signal }: ReplayOptions): Promise<Outcome> {
  const ref = refOf(item.record);
  const incomparable = (why: string, hasFailed = false): Outcome => ({
    kind: "incomparable",
    event: { ...ref, why, hasFailed },
  });
  const why = whyNotComparable(item, isLeftOut);
  if (why !== undefined) return incomparable(why);
  const { input } = item.record.body;
  const recorded = isFields(input) ? recordedInput(input) : {};
  const replayed = await hooks.fire({ ...ref, input: paths.input(recorded) }, signal);
  if (replayed.kind === "fault") return incomparable(`it could not be fired: ${replayed.what}`);
  const before = recordedVerdict(item);
  const after = paths.verdict(replayed.verdict);
  const aspects = aspectsOf(before, after);
  if (aspects.length === 0) return { kind: "same" };
  const failed = failedInCopy(item, { before, after, failed: paths.notes(replayed.failed) });
  if (failed)
    return incomparable(`hook ${failed.hook} fails in the copy but did not fail when recorded: ${failed.what}`, true);
  const lost = before.hooks.filter((hook) => !after.hooks.includes(hook));
  const notes = paths.notes(replayed.fates(lost));
  return { kind: "different", difference: { ...ref, aspects, before, after, notes } };
}

function gathered(outcomes: readonly Outcome[]): Replay {
  return {
    same: outcomes.filter(({ kind }) => kind === "same").length,
    differences: outcomes.flatMap((outcome) => (outcome.kind === "different" ? [outcome.difference] : [])),
    incomparable: outcomes.flatMap((outcome) => (outcome.kind === "incomparable" ? [outcome.event] : [])),
  };
}
