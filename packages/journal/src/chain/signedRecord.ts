import { bytesIn, maybeTextIn, numberIn, textIn } from "../store/columns.ts";
import type { SignedRecord } from "./chain.ts";

/** Parses a whole row of `records`. Throws if it does not match. */
export function readSigned(row: unknown): SignedRecord {
  return {
    id: numberIn(row, "id"),
    n: numberIn(row, "n"),
    prev: bytesIn(row, "prev"),
    mac: bytesIn(row, "mac"),
    written: numberIn(row, "written"),
    at: numberIn(row, "at"),
    kind: textIn(row, "kind"),
    session: textIn(row, "session"),
    turn: numberIn(row, "turn"),
    event_id: maybeTextIn(row, "event_id"),
    event: maybeTextIn(row, "event"),
    subject: maybeTextIn(row, "subject"),
    hook: maybeTextIn(row, "hook"),
    outcome: textIn(row, "outcome"),
    duration_us: numberIn(row, "duration_us"),
    body: textIn(row, "body"),
  };
}
