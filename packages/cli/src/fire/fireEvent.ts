import type { AggregatedHookResult, HookRecord, HookSystem } from "@hookline/engine";
import type { Decision } from "@hookline/engine/program";
import { type FiredHook, firedHook, skippedHook } from "./firedHook.ts";

/** The result of an event, as `fire` shows it. */
export interface Fired {
  readonly result: AggregatedHookResult;
  readonly decisions: readonly Decision[];
  readonly hooks: readonly FiredHook[];
}

/** Collects the records of one event. */
export class FireRecords {
  readonly #records: HookRecord[] = [];

  record(record: HookRecord): void {
    this.#records.push(record);
  }

  get running(): number {
    return this.#of("hookStarted").length - this.#of("hookEnded").length;
  }

  skipped(): FiredHook[] {
    return this.#of("hookSkipped").map(skippedHook);
  }

  /** Background hooks that have ended so far. */
  background(): FiredHook[] {
    return this.#of("hookEnded")
      .filter(({ pass, hook }) => pass === "observe" && !hook.config.blocking)
      .map((ended) => firedHook(ended.hook, ended, ended.durationMs));
  }

  mergeNotes(): readonly string[] {
    return this.#of("merged").flatMap(({ notes }) => notes);
  }

  #of<Kind extends HookRecord["kind"]>(kind: Kind): Extract<HookRecord, { kind: Kind }>[] {
    return this.#records.filter((record): record is Extract<HookRecord, { kind: Kind }> => record.kind === kind);
  }
}

interface FireRequest {
  readonly eventName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export async function fireEvent(
  system: HookSystem,
  { eventName, input, signal }: FireRequest,
  records: FireRecords,
): Promise<Fired> {
  const result = await system.getEventHandler().fire(eventName, input, { signal, realPaths: true });
  const ran = result.results.map((one) => firedHook(one.hook.entry, one, one.duration));
  return { result, decisions: decisionsOf(result), hooks: [...ran, ...records.skipped()] };
}

/** A block and a stop can both apply; an ask counts only without them. */
function decisionsOf({ finalOutput }: AggregatedHookResult): readonly Decision[] {
  const objections: Decision[] = [
    ...(finalOutput?.isBlockingDecision() ? (["block"] as const) : []),
    ...(finalOutput?.shouldStopExecution() ? (["stop"] as const) : []),
  ];
  if (objections.length > 0) return objections;
  return [finalOutput?.isAskDecision() ? "ask" : "allow"];
}
