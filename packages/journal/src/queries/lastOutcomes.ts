import { z } from "zod";
import type { JournalReader } from "../reader/journalReader.ts";
import { journalName } from "../redaction/journalName.ts";

const time = z
  .number()
  .nullable()
  .transform((at) => at ?? undefined);
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined);

const row = z
  .object({
    hook: z.string(),
    source: z.string(),
    place: text,
    type: z.string(),
    event: z.string(),
    first_at: z.number(),
    at: z.number(),
    outcome: z.string(),
    reason: text,
    failed_at: time,
    blocked_at: time,
  })
  .transform(({ first_at, failed_at, blocked_at, ...rest }) => ({
    ...rest,
    firstAt: first_at,
    failedAt: failed_at,
    blockedAt: blocked_at,
  }));

/** The last outcome of a hook. Times are milliseconds since 1970. */
export type LastOutcome = Readonly<z.infer<typeof row>>;

/** One per hook that ever ran or was skipped. */
export function lastOutcomes(reader: JournalReader): readonly LastOutcome[] {
  return reader.rows(row, "SELECT * FROM hook_last");
}

/** Finds a hook by its declared name and source, because names can repeat across layers. */
export function lastByHook(all: readonly LastOutcome[]): (hook: Bearer) => LastOutcome | undefined {
  const known = new Map(all.map((last) => [keyOf({ name: last.hook, source: last.source }), last]));
  return ({ name, source }) => known.get(keyOf({ name: journalName(name), source }));
}

interface Bearer {
  readonly name: string;
  readonly source: string;
}

function keyOf({ name, source }: Bearer): string {
  return `${source} ${name}`;
}
