import type { LoadedSettings } from "@hookline/engine/program";
import type { JournalReader, LogItem } from "@hookline/journal";
import { JournalError, journalName } from "@hookline/journal/program";
import { readSettings } from "../project/readSettings.ts";
import { copyHooks } from "../sandbox/copyHooks.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/table.ts";
import { inFolder } from "./inFolder.ts";
import { MovedPaths } from "./movedPaths.ts";
import { openHookSet } from "./openHookSet.ts";
import { withProgressLine } from "./progressLine.ts";
import { type EventFilter, eventsOf, newestEvents } from "./recordedEvents.ts";
import { type Replay, replayAll } from "./replayAll.ts";
import { ReplayHooks } from "./replayHooks.ts";

export interface ReplayRequest {
  readonly filter: EventFilter;
  readonly against: string | undefined;
  readonly trustProject: boolean;
  readonly json: boolean;
}

/** The result of a replay with the facts that its report needs. */
export interface ReplayReport extends Replay {
  /** The hooks that ran. */
  readonly hookSet: LoadedSettings;
  readonly projectRoot: string;
  /** Number of events to replay. */
  readonly events: number;
  /** Whether there are older events, beyond the limit. */
  readonly hasMore: boolean;
  readonly isInterrupted: boolean;
  /** Names of the skipped hooks. */
  readonly leftOut: readonly string[];
  readonly notices: readonly string[];
}

const TOO_LARGE = "Have git ignore what hooks do not need, or name a smaller copy of the project with --against.";

/** Undefined if the journal is too damaged to find events in it. */
export async function replayRecorded(
  io: Io,
  reader: JournalReader,
  { filter, ...asked }: ReplayRequest,
): Promise<ReplayReport | undefined> {
  const found = newestEvents(reader, filter);
  if (found.ids.length === 0) {
    if (reader.damage) return undefined;
    const next = "`hookline log` shows what is recorded; an event that matches no hook is only counted.";
    throw new JournalError({ code: "RECORD_UNKNOWN", what: "No recorded event matches.", next });
  }
  const project = await readSettings(io);
  const hookSet = await openHookSet(io, project.projectRoot, asked);
  const { leftOut, isLeftOut } = skippedIn([project, hookSet]);
  const copy = await copyHooks(hookSet, {
    next: TOO_LARGE,
    signal: io.signal,
    standsFor: [project.projectRoot],
  });
  try {
    const paths = new MovedPaths({
      project: project.projectRoot,
      hookSet: hookSet.projectRoot,
      copy: copy.root,
    });
    const work = { events: eventsOf(reader, found), total: found.ids.length, paths, isLeftOut };
    const replay = await inFolder(copy.root, () => replayInCopy(io, work));
    return {
      ...replay,
      hookSet,
      projectRoot: project.projectRoot,
      events: found.ids.length,
      hasMore: found.hasMore,
      isInterrupted: io.signal.aborted,
      leftOut,
      notices: copy.notices,
    };
  } finally {
    copy.dispose();
  }
}

interface Work {
  readonly events: Iterable<LogItem>;
  readonly total: number;
  readonly paths: MovedPaths;
  readonly isLeftOut: (event: string, hook: string) => boolean;
}

async function replayInCopy(io: Io, { events, total, paths, isLeftOut }: Work): Promise<Replay> {
  const hooks = await ReplayHooks.open(paths.relocation);
  let done = 0;
  const onDone = () => {
    done += 1;
  };
  const options = { hooks, paths, isLeftOut, signal: io.signal, onDone };
  const progress = () => `replaying, ${done} of ${counted(total, "event")} done`;
  try {
    return await withProgressLine(io, progress, () => replayAll(events, options));
  } finally {
    await hooks.dispose();
  }
}

/** Hooks that either side skips: their recorded decisions say nothing about the other hooks. */
function skippedIn(sets: readonly LoadedSettings[]) {
  const skipped = sets.flatMap(({ hooks }) =>
    hooks.filter(({ source, replay }) => source === "project" && replay === "skip"),
  );
  const keyOf = (event: string, hook: string) => `${event} ${hook}`;
  const keys = new Set(skipped.map(({ eventName, name }) => keyOf(eventName, journalName(name))));
  return {
    leftOut: [...new Set(skipped.map(({ name }) => name))],
    isLeftOut: (event: string, hook: string) => keys.has(keyOf(event, hook)),
  };
}
