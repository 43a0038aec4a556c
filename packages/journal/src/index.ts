/** The journal for programs that embed the engine: a recorder that keeps what hooks do, and what reads it. */
export { findTurn, type TurnKey, type TurnSelector } from "./queries/findTurn.ts";
export { followItems } from "./queries/followItems.ts";
export {
  dayOf,
  type EventStats,
  eventStats,
  type HookStats,
  hookStats,
  type StatsFilter,
} from "./queries/hookStats.ts";
export { type LastOutcome, lastOutcomes } from "./queries/lastOutcomes.ts";
export type { LogDecision, LogFilter } from "./queries/logFilter.ts";
export { type LogItem, readLog } from "./queries/logItems.ts";
export { readTurn, type Step, type Turn } from "./queries/readTurn.ts";
export { type JournalReader, openJournalReader } from "./reader/journalReader.ts";
export type { ChainFinding } from "./reader/verifyChain.ts";
export { type Verification, verifyJournal } from "./reader/verifyJournal.ts";
export { type EndCall, Journal, type JournalSetup } from "./recorder/journal.ts";
export { countUnmatched, startJournal } from "./recorder/startJournal.ts";
export type { JournalRecord, RecordBody, RecordKind } from "./records/record.ts";
export { placeOf, type StateIo } from "./state/placeOf.ts";
export type { StatePlace } from "./state/statePlace.ts";
