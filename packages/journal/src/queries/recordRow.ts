import { z } from "zod";
import { type JournalRecord, RECORD_KINDS, type RecordBody, recordBody } from "../records/record.ts";

export const RECORD_COLUMNS = "id, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body";

/** Replaces a body that does not parse. */
export const UNREADABLE: RecordBody = { notes: ["its contents cannot be read"] };

const text = z.string().nullable();
/** A row with the columns above. Kinds unknown to this version do not match. */
export const recordRow = z
  .object({
    id: z.number(),
    at: z.number(),
    kind: z.enum(RECORD_KINDS),
    session: z.string(),
    turn: z.number(),
    event_id: text,
    event: text,
    subject: text,
    hook: text,
    outcome: z.string(),
    duration_us: z.number(),
    body: z.string(),
  })
  .transform(
    ({ event_id, event, subject, hook, duration_us, body, ...rest }): JournalRecord => ({
      ...rest,
      eventId: event_id ?? undefined,
      event: event ?? undefined,
      subject: subject ?? undefined,
      hook: hook ?? undefined,
      durationUs: duration_us,
      body: readBody(body),
    }),
  );

function readBody(json: string): RecordBody {
  try {
    return recordBody.safeParse(JSON.parse(json)).data ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}
