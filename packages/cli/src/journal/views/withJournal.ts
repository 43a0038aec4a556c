import { resolve } from "node:path";
import { type JournalReader, openJournalReader, placeOf, type StatePlace } from "@hookline/journal";
import { placeNamed } from "@hookline/journal/program";
import { readSettings } from "../../project/readSettings.ts";
import { upgradeNotices } from "../../state/upgradeNotices.ts";
import { colours } from "../../terminal/colour.ts";
import { reportError } from "../../terminal/errorReport.ts";
import { ExitCode } from "../../terminal/exitCode.ts";
import type { Io } from "../../terminal/io.ts";
import { noticeTo } from "../../terminal/notice.ts";

/** Reads the journal of the project, if there is one. Reports damage afterwards, and fails then. */
export async function withJournal(
  io: Io,
  project: string | undefined,
  work: (reader: JournalReader | undefined) => number | Promise<number>,
): Promise<number> {
  const reader = await openJournalReader(await journalPlace(io, project));
  try {
    const code = await work(reader);
    return reader && tellTrouble(reader, io) ? ExitCode.failure : code;
  } catch (error) {
    // In a damaged journal, what is not found may have been there.
    throw reader?.damage ?? error;
  } finally {
    reader?.close();
  }
}

/** The project that the user names, or the current one. */
export async function journalPlace(io: Io, project: string | undefined): Promise<StatePlace> {
  const loaded = await readSettings(io, project === undefined ? io.cwd : resolve(io.cwd, project));
  upgradeNotices(io, loaded).forEach(noticeTo(io));
  return project === undefined ? placeOf(io, loaded) : placeNamed(io, project, loaded);
}

/** Writes to standard error, separate from the output. Returns true if the journal is damaged. */
export function tellTrouble({ isBehind, damage }: JournalReader, io: Io): boolean {
  if (isBehind) {
    const said = "The journal is not writable, so it was read without its WAL file; its newest records may be missing.";
    io.stderr(`${colours(io).yellow(`! ${said}`)}\n`);
  }
  if (damage) reportError(damage, io, { json: false });
  return damage !== undefined;
}
