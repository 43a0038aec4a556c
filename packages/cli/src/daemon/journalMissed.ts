import { readFileSync } from "node:fs";
import { DIALECTS } from "@hookline/engine/program";
import { replaceOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import { type MissedCall, missedCalls } from "./missedCalls.ts";
import { recordUnasked } from "./recordUnasked.ts";
import type { RunFolder } from "./runFolder.ts";
import type { ServedProject } from "./servedProject.ts";

const marks = z.record(z.string(), z.number());

/** Records the calls in a project that the client answered alone since the last time: the client itself has no journal. */
export function journalMissed(run: RunFolder, served: ServedProject): void {
  const known = readMarks(run.journalled);
  const since = known[served.root] ?? 0;
  const missed = missedCalls(run.missed).filter(({ at, folder }) => at > since && isInside(folder, served.root));
  if (missed.length === 0) return;
  for (const call of missed) record(served, call);
  try {
    const newest = Math.max(...missed.map(({ at }) => at));
    replaceOwnFile(run.journalled, JSON.stringify({ ...known, [served.root]: newest }));
  } catch {
    // They are recorded again: better twice than not at all.
  }
}

function record(served: ServedProject, { at, host, event, wasRefused, why, folder }: MissedCall): void {
  const dialect = Object.values(DIALECTS).find(({ name }) => name === host);
  const mapped = dialect && Object.hasOwn(dialect.events, event) ? dialect.events[event] : undefined;
  if (!dialect || !mapped || mapped.ours === null) return;
  const call = { host, event, session: "", cwd: folder, at };
  recordUnasked(served, call, { ours: mapped.ours, why: `the client had no answer: ${why}`, isRefused: wasRefused });
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

function readMarks(file: string): Readonly<Record<string, number>> {
  try {
    return marks.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {}; // not there yet, or not ours
  }
}
