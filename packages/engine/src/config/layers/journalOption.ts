import { z } from "zod";
import { type Entry, type Located, plain, shown } from "../values/located.ts";
import { didYouMean, nearest } from "../values/nearest.ts";
import { invalid, type Report } from "../values/problem.ts";
import { readSize, sizeSchema } from "../values/size.ts";
import { readRedact } from "./journalRedact.ts";
import { type JournalSetting, journalOver, UNSURE } from "./journalSetting.ts";

type Reading = JournalSetting | { readonly error: string };

const AGE = /^([1-9]\d{0,3})\s*(h|d)$/;
const HOUR_MS = 3_600_000;
const texts = z.array(z.string().min(1));

export const journalSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe("whether to record what hooks do; default true"),
    maxAge: z.string().regex(AGE).optional().describe('older records are removed; hours or days, default "30d"'),
    maxSize: sizeSchema
      .optional()
      .describe('how large the file may become before the oldest records are removed; default "1GiB", at least "1MiB"'),
    payloadLimit: sizeSchema
      .optional()
      .describe('how much of one input, output or reason is kept, 0 for nothing; default "64KiB", at least "1KiB"'),
    originals: z
      .boolean()
      .optional()
      .describe(
        "whether prompts, requests and responses are also kept as they were before hooks changed or withheld them; default false",
      ),
    redact: z
      .strictObject({
        keys: texts.optional().describe("names of further JSON fields whose values are redacted"),
        patterns: texts.optional().describe("regular expressions: text that matches is redacted"),
      })
      .optional()
      .describe("what else to redact; user and system files add up"),
  })
  .describe("the journal; user and system files only");

const FIELDS: Readonly<Record<string, (value: unknown) => Reading>> = {
  enabled: (value) =>
    typeof value === "boolean" ? { enabled: value } : { error: "is neither true nor false; write it without quotes" },
  originals: (value) =>
    typeof value === "boolean" ? { originals: value } : { error: "is neither true nor false; write it without quotes" },
  maxAge: readAge,
  maxSize: (value) => sized(value, { least: 1024 ** 2, text: "1MiB" }, (maxBytes) => ({ maxBytes })),
  payloadLimit: (value) =>
    value === 0
      ? { payloadBytes: 0 }
      : sized(value, { least: 1024, text: "1KiB" }, (payloadBytes) => ({ payloadBytes })),
};
const KNOWN = [...Object.keys(FIELDS), "redact"];
/** Setting one of these means that less should be recorded than usual. */
const HIDING = ["enabled", "redact"];

/** Reads each field of `hooksConfig.journal` on its own: a mistake in one leaves the others in force. */
export function readJournal(value: Located, report: Report): JournalSetting {
  if (value.kind === "map") return value.entries.map((entry) => readField(entry, report)).reduce(journalOver, {});
  const next = 'Write { "enabled": false } to record nothing, or fields such as { "maxAge": "30d" }.';
  report(invalid(value.place, `"hooksConfig.journal" must be an object, got ${shown(value)}. ${UNSURE}.`, next));
  return { isUnsure: true };
}

function readField(entry: Entry, report: Report): JournalSetting {
  const { key, value } = entry;
  if (key === "redact") return readRedact(value, report);
  const read = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
  if (read === undefined) return readUnknown(entry, report);
  const reading = read(plain(value));
  if (!("error" in reading)) return reading;
  const isUnsure = HIDING.includes(key);
  report(invalid(value.place, `"hooksConfig.journal.${key}" ${shown(value)} ${reading.error}.${unsureNote(isUnsure)}`));
  return { isUnsure };
}

/** A misspelled limit redacts nothing; any other unknown key may have been meant to. */
function readUnknown({ key, keyPlace }: Entry, report: Report): JournalSetting {
  const meant = nearest(key, KNOWN);
  const isUnsure = meant === undefined || HIDING.includes(meant);
  const what = `"${key}" is not a field of "hooksConfig.journal".${didYouMean(key, KNOWN)}${unsureNote(isUnsure)}`;
  report(invalid(keyPlace, what, `The fields are ${KNOWN.join(", ")}.`));
  return { isUnsure };
}

function unsureNote(isUnsure: boolean): string {
  return isUnsure ? ` ${UNSURE}.` : "";
}

function readAge(value: unknown): Reading {
  const [, amount, unit] = typeof value === "string" ? (AGE.exec(value.trim()) ?? []) : [];
  if (amount === undefined) return { error: 'is not an age; write "12h" or "30d"' };
  return { maxAgeMs: Number(amount) * (unit === "d" ? 24 * HOUR_MS : HOUR_MS) };
}

interface Least {
  readonly least: number;
  readonly text: string;
}

function sized(value: unknown, { least, text }: Least, set: (bytes: number) => JournalSetting): Reading {
  const size = readSize(value);
  if ("error" in size) return size;
  return size.bytes >= least ? set(size.bytes) : { error: `is too small; write "${text}" or more` };
}
