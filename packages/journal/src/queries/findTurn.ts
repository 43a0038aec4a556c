import type { HooklineError } from "@hookline/engine";
import { z } from "zod";
import { JournalError } from "../errors.ts";
import type { JournalReader } from "../reader/journalReader.ts";

const SHORTEST_PREFIX = 4;

/** What the user asks for; empty means the last turn. */
export interface TurnSelector {
  /** The id or id prefix of an event or session, or `session:turn`. */
  readonly id?: string;
  readonly session?: string;
  readonly turn?: number;
}

/** One turn of a session; turn 0 is everything outside its turns. */
export interface TurnKey {
  readonly session: string;
  readonly turn: number;
  /** The event that the turn was found by. */
  readonly eventId?: string;
}

/** Throws RECORD_UNKNOWN unless exactly one turn matches. */
export function findTurn(reader: JournalReader, { id, session, turn }: TurnSelector): TurnKey {
  if (session !== undefined) return turnOf(reader, expectOne(sessionLike(reader, session), session), turn);
  if (id === undefined) return turnOf(reader, lastSession(reader), turn);
  const [, ofSession, nth] = /^(.+):(\d{1,9})$/.exec(id) ?? [];
  if (ofSession !== undefined) return turnOf(reader, expectOne(sessionLike(reader, ofSession), id), Number(nth));
  const events = eventLike(reader, id);
  if (events.length > 0) return turnOfEvent(reader, expectOne(events, id));
  return turnOf(reader, expectOne(sessionLike(reader, id), id), turn);
}

const place = z.object({ session: z.string(), turn: z.number() });

function lastSession(reader: JournalReader): string {
  const [row] = reader.rows(
    place,
    "SELECT session, turn FROM records WHERE kind NOT IN ('unmatched', 'gap', 'late') ORDER BY id DESC LIMIT 1",
  );
  if (row === undefined) throw unknown("Nothing is recorded here that could be traced.");
  return row.session;
}

/** Unmatched events are only counted and have no time. */
const SEEN = "kind <> 'unmatched'";

const newest = z.object({ turn: z.number().nullable() });

/** The last turn by default. What follows it (SessionEnd) is outside turns. */
function turnOf(reader: JournalReader, session: string, wanted: number | undefined): TurnKey {
  const [row] = reader.rows(newest, `SELECT max(turn) AS turn FROM records WHERE session = ? AND ${SEEN}`, [session]);
  const last = row?.turn ?? null;
  if (last === null) throw unknown(`No hook ran in session ${session}: there is nothing to trace.`);
  const turn = wanted ?? last;
  const sql = `SELECT session, turn FROM records WHERE session = ? AND turn = ? AND ${SEEN} LIMIT 1`;
  const [found] = reader.rows(place, sql, [session, turn]);
  if (found) return found;
  const turns = last === 0 ? "none: it has only events outside turns (turn 0)" : `1 to ${last}`;
  const missing = turn === 0 ? "Nothing happened outside the turns" : `There is no turn ${turn}`;
  throw unknown(`${missing} of session ${session}; its turns are ${turns}.`);
}

function turnOfEvent(reader: JournalReader, eventId: string): TurnKey {
  const [row] = reader.rows(place, "SELECT session, turn FROM records WHERE event_id = ? LIMIT 1", [eventId]);
  if (row === undefined) throw unknown(`The event ${eventId} cannot be read.`);
  return { ...row, eventId };
}

function eventLike(reader: JournalReader, prefix: string): readonly string[] {
  return firstTwo(reader, "event_id", prefix);
}

function sessionLike(reader: JournalReader, prefix: string): readonly string[] {
  return firstTwo(reader, "session", prefix);
}

const named = z.object({ name: z.string() });

/** Two index lookups, however many records there are. An exact id wins over its longer namesakes. */
function firstTwo(reader: JournalReader, column: "event_id" | "session", prefix: string): readonly string[] {
  if (prefix.length < SHORTEST_PREFIX) {
    throw unknown(`${JSON.stringify(prefix)} is too short: write at least ${SHORTEST_PREFIX} characters of an id.`);
  }
  const sql = (comparison: string) =>
    `SELECT ${column} AS name FROM records WHERE ${column} ${comparison} ? ORDER BY ${column} LIMIT 1`;
  const names: string[] = [];
  for (const comparison of [">=", ">"]) {
    const [row] = reader.rows(named, sql(comparison), [names[0] ?? prefix]);
    if (!row?.name.startsWith(prefix)) break;
    names.push(row.name);
    if (row.name === prefix) break;
  }
  return names;
}

function expectOne([first, second]: readonly string[], given: string): string {
  if (first === undefined) throw unknown(`No event or session here has the id ${JSON.stringify(given)}.`);
  if (second === undefined) return first;
  throw unknown(`${JSON.stringify(given)} is the prefix of several ids, such as ${first} and ${second}.`);
}

function unknown(what: string): HooklineError {
  return new JournalError({ code: "RECORD_UNKNOWN", what });
}
