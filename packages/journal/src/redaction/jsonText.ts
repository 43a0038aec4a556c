import type { PlainCopy } from "./plainCopy.ts";

/**
 * Redacts secrets in JSON text, however they are escaped; returns text without secrets, and text that is not JSON,
 * unchanged.
 */
export function redactJsonText(
  text: string,
  newCopy: () => PlainCopy,
): { readonly text: string; readonly cut: boolean } {
  const parsed = looksLikeJson(text) ? parse(text) : undefined;
  if (parsed === undefined) return { text, cut: false };
  const copy = newCopy();
  const value = copy.of(parsed.value);
  if (!copy.redacted) return { text, cut: false };
  return { text: JSON.stringify(value, null, /^\s*[[{]\s*\n/.test(text) ? 2 : undefined), cut: copy.cut };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const ENDS: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' };

function looksLikeJson(text: string): boolean {
  const first = /\S/.exec(text)?.[0] ?? "";
  return first in ENDS && text.trimEnd().endsWith(ENDS[first] ?? first) && text.length > 2;
}
