import type { PlainCopy } from "./plainCopy.ts";

/** Text that is JSON, without the secrets in it, however they are escaped; with none, and any other text, as it is. */
export function redactJsonText(text: string, copy: PlainCopy): string {
  if (!looksLikeJson(text)) return text;
  try {
    const value = copy.of(JSON.parse(text));
    return copy.redacted ? JSON.stringify(value, null, /^\s*[[{]\s*\n/.test(text) ? 2 : undefined) : text;
  } catch {
    return text;
  }
}

const ENDS: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' };

function looksLikeJson(text: string): boolean {
  const first = /\S/.exec(text)?.[0] ?? "";
  return first in ENDS && text.trimEnd().endsWith(ENDS[first] ?? first) && text.length > 2;
}
