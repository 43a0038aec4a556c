import type { Entry, RunEntry } from "../records/entry.ts";
import { plainCopy } from "../redaction/plainCopy.ts";

/** Converts an entry to cloneable data: replaces everything else with a note about what it was. */
export function plainEntry(entry: Entry): Entry {
  const plainRun = (run: RunEntry): RunEntry => ({
    ...run,
    ...("input" in run ? { input: plainCopy(run.input) } : {}),
    ...("output" in run ? { output: plainCopy(run.output) } : {}),
  });
  // Everything else in an entry is created by us.
  switch (entry.kind) {
    case "event": {
      const rewrites = entry.rewrites.map((one) => ({
        ...one,
        before: plainCopy(one.before),
        after: plainCopy(one.after),
      }));
      return { ...entry, input: plainCopy(entry.input), rewrites, runs: entry.runs.map(plainRun) };
    }
    case "run":
      return plainRun(entry);
    case "approval":
      return { ...entry, input: plainCopy(entry.input) };
    case "call":
    case "unmatched":
    case "late":
      return entry;
  }
}
