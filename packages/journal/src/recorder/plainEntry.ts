import { MAX_LEVELS, TOO_DEEP } from "@hookline/engine/program";
import type { Entry, RunEntry } from "../records/entry.ts";

/** Converts an entry to cloneable data: replaces everything else with a note about what it was. */
export function plainEntry(entry: Entry): Entry {
  const above = new Set<object>();
  const plain = (value: unknown): unknown => {
    if (typeof value === "function" || typeof value === "symbol") return `(${typeof value})`;
    if (typeof value !== "object" || value === null) return value;
    if (above.has(value)) return "(circular)";
    if (above.size > MAX_LEVELS) return TOO_DEEP;
    above.add(value);
    try {
      if (Array.isArray(value)) return value.map(plain);
      if (value instanceof Error) return String(value);
      if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
    } catch {
      return "(unreadable)";
    } finally {
      above.delete(value);
    }
  };
  const plainRun = (run: RunEntry): RunEntry => ({
    ...run,
    ...("input" in run ? { input: plain(run.input) } : {}),
    ...("output" in run ? { output: plain(run.output) } : {}),
  });
  // Everything else in an entry is created by us.
  switch (entry.kind) {
    case "event": {
      const rewrites = entry.rewrites.map((one) => ({ ...one, before: plain(one.before), after: plain(one.after) }));
      return { ...entry, input: plain(entry.input), rewrites, runs: entry.runs.map(plainRun) };
    }
    case "run":
      return plainRun(entry);
    case "approval":
      return { ...entry, input: plain(entry.input) };
    case "call":
    case "unmatched":
    case "late":
      return entry;
  }
}
