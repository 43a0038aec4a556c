import { redactField, redactText } from "../../secrets/redact.ts";

const MAX_LENGTH = 2_000;
/** Limits for the texts inside, tried in turn: short texts survive anywhere, and the JSON stays valid. */
const LONGEST_TEXTS = [Number.POSITIVE_INFINITY, 400, 100, 30];

/** A value for people, logs and guards: text, or compact JSON, without secrets, at most 2,000 characters. */
export function summarise(value: unknown): string {
  if (typeof value === "string") return cut(redactText(value), MAX_LENGTH);
  let text = "";
  for (const longest of LONGEST_TEXTS) {
    text = toJson(value, longest);
    if (text.length <= MAX_LENGTH) return text;
  }
  return cut(text, MAX_LENGTH);
}

/** A summary that is computed once, on first use. */
export function lazySummary(value: unknown): () => string {
  let summary: string | undefined;
  return () => {
    summary ??= summarise(value);
    return summary;
  };
}

function toJson(value: unknown, longest: number): string {
  const shown = (key: string, field: unknown) => {
    const redacted = redactField(key, field);
    return typeof redacted === "string" ? cut(redacted, longest) : redacted;
  };
  try {
    return JSON.stringify(value, shown) ?? "";
  } catch {
    return "(not representable as JSON)";
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const note = `… (${text.length} characters)`;
  const head = text.slice(0, Math.max(0, length - note.length));
  return head.replace(/[\ud800-\udbff]$/, "") + note; // drop half a surrogate pair
}
