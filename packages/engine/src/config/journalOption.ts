import { z } from "zod";
import { DEFAULT_OPTIONS, type JournalOptions } from "./hookDeclaration.ts";
import { readSize, type Size } from "./size.ts";

const AGE = /^([1-9]\d{0,3})\s*(h|d)$/;
const HOUR_MS = 3_600_000;
const SMALLEST_BYTES = 1024 ** 2;
const SMALLEST_PAYLOAD_BYTES = 1024;

const DEFAULTS = DEFAULT_OPTIONS.journal;
const texts = z.array(z.string().min(1));

export const journalSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe("whether what hooks do is written down; default true"),
    maxAge: z.string().optional().describe('older records are removed; hours or days, default "30d"'),
    maxSize: z
      .union([z.string(), z.number()])
      .optional()
      .describe('how large the file may become before the oldest records make room; default "1GiB", at least "1MiB"'),
    payloadLimit: z
      .union([z.string(), z.number()])
      .optional()
      .describe('how much of one input or output is kept; default "64KiB", at least "1KiB"'),
    redact: z
      .strictObject({
        keys: texts.optional().describe("names of JSON fields whose values are secrets, besides the usual ones"),
        patterns: texts.optional().describe("regular expressions: what matches is not written down"),
      })
      .optional()
      .describe("what else must not be written down"),
  })
  .describe("the journal; user and system files only");

type Reading = { readonly set: { readonly journal: JournalOptions } } | { readonly error: string };

/** `hooksConfig.journal`: what it does not say keeps its default. */
export function readJournalOptions(value: unknown): Reading {
  const parsed = journalSchema.safeParse(value);
  if (!parsed.success) return { error: 'cannot be read; write { "maxAge": "30d", "maxSize": "1GiB" }' };
  const { enabled = DEFAULTS.enabled, maxAge, maxSize, payloadLimit, redact } = parsed.data;
  const age = maxAge === undefined ? { ms: DEFAULTS.maxAgeMs } : readAge(maxAge);
  if ("error" in age) return age;
  const size = readBytes("maxSize", maxSize ?? DEFAULTS.maxBytes, SMALLEST_BYTES);
  if ("error" in size) return size;
  const payload = readBytes("payloadLimit", payloadLimit ?? DEFAULTS.payloadBytes, SMALLEST_PAYLOAD_BYTES);
  if ("error" in payload) return payload;
  const { keys: redactKeys = [], patterns: redactPatterns = [] } = redact ?? {};
  const wrong = redactPatterns.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) return { error: `has "${wrong}" in redact.patterns, which is no regular expression` };
  const [maxAgeMs, maxBytes, payloadBytes] = [age.ms, size.bytes, payload.bytes];
  return { set: { journal: { enabled, maxAgeMs, maxBytes, payloadBytes, redactKeys, redactPatterns } } };
}

function readAge(text: string): { readonly ms: number } | { readonly error: string } {
  const [, amount, unit] = AGE.exec(text.trim()) ?? [];
  if (amount === undefined) return { error: 'has a maxAge that is none; write "12h" or "30d"' };
  return { ms: Number(amount) * (unit === "d" ? 24 * HOUR_MS : HOUR_MS) };
}

function readBytes(name: string, value: string | number, least: number): Size {
  const size = readSize(value);
  if ("error" in size) return { error: `has a ${name} that ${size.error}` };
  return size.bytes >= least ? size : { error: `has a ${name} that is too small; write ${least} bytes or more` };
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
