import type { HookEventName } from "../events/catalog.ts";
import type { Dialect, HostAnswer } from "./dialect.ts";
import { DIALECTS } from "./dialects.ts";
import { refusal } from "./encodeAnswer.ts";
import { ownOf } from "./fields.ts";

/** What a client says alone, in the host's terms, if it has no answer. */
export interface OwnNo {
  /** Our event for the host's. */
  readonly ours: HookEventName;
  readonly answer: HostAnswer;
}

const WORDS =
  "hookline did not answer in time, so no guard checked this, and it is blocked. A person can find the cause with `hookline doctor`.";

/** Undefined where the host cannot be refused, or must not be: an agent whose stop is refused goes on, without end. */
export function ownNo(dialect: Dialect, name: string): OwnNo | undefined {
  const ours = ownOf(dialect.events, name)?.ours;
  const answer = ours === "AfterAgent" ? undefined : refusal(dialect, name, WORDS);
  return ours && answer ? { ours, answer } : undefined;
}

/** For each event of each host that has one of ours, what a client says alone; null: nothing. */
export interface OwnNoRow {
  readonly host: string;
  readonly event: string;
  readonly canonical: HookEventName;
  readonly no: HostAnswer | null;
}

export function ownNoRows(): readonly OwnNoRow[] {
  return Object.values(DIALECTS).flatMap((dialect) =>
    Object.entries(dialect.events).flatMap(([event, { ours }]) =>
      ours === null ? [] : [{ host: dialect.name, event, canonical: ours, no: ownNo(dialect, event)?.answer ?? null }],
    ),
  );
}
