import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StatePlace } from "@hookline/journal";
import { makeStateSubfolder, readOwnFile } from "@hookline/journal/program";
import { isSessionId } from "../../agent/transcript.ts";

const MOST_BYTES = 128 * 1024 ** 2;
const MOST_FILES = 10_000;
const END = ".jsonl";

/**
 * Imports transcripts that are regular files of the user without other hard links; the first line of a copy names its
 * origin.
 */
export function takeTranscripts(folder: string, place: StatePlace): number {
  const names = readdirSync(folder).filter((name) => name.endsWith(END) && isSessionId(name.slice(0, -END.length)));
  const to = makeStateSubfolder(place, "sessions");
  return names.slice(0, MOST_FILES).filter((name) => isTaken(join(folder, name), join(to, name))).length;
}

function isTaken(from: string, to: string): boolean {
  try {
    const imported = JSON.stringify({ type: "imported", at: new Date().toISOString(), from });
    writeFileSync(to, `${imported}\n${readOwnFile(from, MOST_BYTES)}`, { mode: 0o600, flag: "wx" });
    return true;
  } catch {
    return false; // a link, another user's file, too large, or already imported
  }
}
