import type { FileFamily } from "./configSource.ts";
import { readDuration } from "./duration.ts";
import { type Entry, plain, shown } from "./located.ts";
import { doubt, invalid, type Report } from "./problem.ts";

const DEFAULT_TIMEOUT_MS = 60_000;

export function readTimeout(entry: Entry | undefined, family: FileFamily, report: Report): number {
  return readLimit(entry, "Until then it is 60s.", report, family) ?? DEFAULT_TIMEOUT_MS;
}

/** Undefined if absent or unreadable; `otherwise` says which limit applies then. */
export function readLimit(
  entry: Entry | undefined,
  otherwise: string,
  report: Report,
  family: FileFamily = "hookline",
): number | undefined {
  if (entry === undefined) return undefined;
  const duration = readDuration(plain(entry.value), family === "gemini" ? "ms" : "guess");
  const where = entry.value.place;
  if ("error" in duration) {
    report(invalid(where, `"timeout" ${shown(entry.value)} ${duration.error}. ${otherwise}`, 'Write "60s".'));
    return undefined;
  }
  const { doubt: what, next = "Write the unit." } = duration;
  if (what !== undefined) {
    report(doubt({ where, what: `timeout ${shown(entry.value)} ${what}.`, next }));
  }
  return duration.ms;
}

export function readText(entry: Entry | undefined, report: Report): string | undefined {
  if (entry === undefined) return undefined;
  const value = plain(entry.value);
  if (typeof value === "string") return value;
  report(
    invalid(entry.value.place, `"${entry.key}" cannot be ${shown(entry.value)}; it is left out.`, "Write a string."),
  );
  return undefined;
}

/** Variables to add. Numbers and booleans become text; a variable that a process cannot receive is left out. */
export function readEnv(entry: Entry | undefined, report: Report): Readonly<Record<string, string>> {
  if (entry === undefined) return {};
  if (entry.value.kind !== "map") {
    report(invalid(entry.value.place, `"env" cannot be ${shown(entry.value)}.`, 'Write { "NAME": "value" }.'));
    return {};
  }
  const variables = entry.value.entries.flatMap(({ key, keyPlace, value }) => {
    const text = plain(value);
    const isText = typeof text === "string" || typeof text === "number" || typeof text === "boolean";
    if (isText && /^[^=\0]+$/.test(key) && !String(text).includes("\0")) return [[key, String(text)]];
    const what = `The variable "${key}" cannot be ${shown(value)}; it is left out.`;
    report(invalid(keyPlace, what, "Write a name without = and a string."));
    return [];
  });
  return Object.fromEntries(variables);
}

export function readNames(entry: Entry | undefined, report: Report): readonly string[] {
  if (entry === undefined) return [];
  const items = entry.value.kind === "list" ? entry.value.items : [];
  if (entry.value.kind !== "list") {
    report(invalid(entry.value.place, `"${entry.key}" cannot be ${shown(entry.value)}.`, 'Write a list: ["NAME"].'));
  }
  return items.flatMap((item) => {
    const name = plain(item);
    if (typeof name === "string" && name !== "") return [name];
    report(invalid(item.place, `"${entry.key}" cannot hold ${shown(item)}; it is left out.`, 'Write ["NAME"].'));
    return [];
  });
}
