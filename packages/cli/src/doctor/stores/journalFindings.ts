import { statSync } from "node:fs";
import type { JournalOptions } from "@hookline/engine/program";
import { type JournalReader, openJournalReader, type StatePlace } from "@hookline/journal";
import { z } from "zod";
import { sizeText } from "../../sandbox/bounds.ts";
import { counted } from "../../terminal/table.ts";
import { type Finding, ok, warning } from "../finding.ts";

const WEEK_MS = 7 * 86_400_000;
/** Retention removes records in batches, so a slight excess is normal. */
const TOO_LARGE = 1.1;

/** Checks the size of the journal, and whether records were lost or late. */
export async function journalFindings(
  place: StatePlace,
  { maxBytes }: JournalOptions,
  now: number,
): Promise<readonly Finding[]> {
  const reader = await openJournalReader(place);
  if (!reader) return [];
  try {
    const findings = [size(reader, maxBytes), ...losses(reader, now - WEEK_MS)];
    if (reader.damage) throw reader.damage;
    return findings;
  } finally {
    reader.close();
  }
}

const count = z.object({ records: z.number() });

function countRecords(reader: JournalReader): number {
  return reader.rows(count, "SELECT count(*) AS records FROM records")[0]?.records ?? 0;
}

function size(reader: JournalReader, maxBytes: number): Finding {
  const { path } = reader;
  const bytes = statSync(path).size;
  const has = `${counted(countRecords(reader), "record")}, ${sizeText(bytes)}`;
  if (bytes <= maxBytes * TOO_LARGE) return ok(`${has} of at most ${sizeText(maxBytes)}`, path);
  const what = `The journal is too large: ${has}; the limit is ${sizeText(maxBytes)}.`;
  const next = "The next writer removes the oldest records; hooksConfig.journal.maxSize sets the limit.";
  return warning({ what, file: path, next });
}

const loss = z.object({ kind: z.string(), body: z.string() });
/** An objection right after the start of a program may be late; a few of those are normal. */
const MANY_LATE = 5;
const gap = z.object({ lost: z.number() });

function losses(reader: JournalReader, since: number): readonly Finding[] {
  // `outcome` has an index and is empty for few other records.
  const sql = "SELECT kind, body FROM records WHERE outcome = '' AND kind IN ('gap', 'late') AND at >= ?";
  const rows = reader.rows(loss, sql, [since]);
  const lost = rows.filter(({ kind }) => kind === "gap").reduce((sum, { body }) => sum + lostIn(body), 0);
  const late = rows.filter(({ kind }) => kind === "late").length;
  const { path: file } = reader;
  return [
    ...(lost === 0
      ? []
      : [
          warning({
            what: `In the last 7 days ${counted(lost, "entry was", "entries were")} lost before they could be recorded.`,
            file,
            next: "Check whether the disk was full or a program locked the journal at that time; `hookline log` shows when.",
          }),
        ]),
    ...(late < MANY_LATE
      ? []
      : [
          warning({
            what: `In the last 7 days a program continued ${counted(late, "time")} before an objection or approval was recorded.`,
            file,
            next: "It is recorded now. Look for a slow disk or a program that locks the journal.",
          }),
        ]),
  ];
}

function lostIn(body: string): number {
  try {
    return gap.parse(JSON.parse(body)).lost;
  } catch {
    return 1; // at least one
  }
}
