import { resolve } from "node:path";
import { type JournalReader, openJournalReader, placeOf, type StatePlace } from "@hookline/journal";
import { placeNamed } from "@hookline/journal/program";
import { readSettings } from "../../project/openProject.ts";
import { upgradeNotices } from "../../state/upgradeNotices.ts";
import { colours } from "../../terminal/colour.ts";
import { reportError } from "../../terminal/errorReport.ts";
import { ExitCode } from "../../terminal/exitCode.ts";
import type { Io } from "../../terminal/io.ts";
import { noticeTo } from "../../terminal/notice.ts";

/** Reads the journal of the project, if there is one. What could not be read of it is said afterwards, and is a failure. */
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
    // What is not found in a damaged journal may have been there.
    throw reader?.damage ?? error;
  } finally {
    reader?.close();
  }
}

/** Of the project that a person names, or of the one they are in. */
export async function journalPlace(io: Io, project: string | undefined): Promise<StatePlace> {
  const loaded = await readSettings(io, project === undefined ? io.cwd : resolve(io.cwd, project));
  upgradeNotices(io, loaded).forEach(noticeTo(io));
  return project === undefined ? placeOf(io, loaded) : placeNamed(io, project, loaded);
}

/** On standard error, so that it stands in nobody's way. True where something is damaged. */
export function tellTrouble({ isBehind, damage }: JournalReader, io: Io): boolean {
  if (isBehind) {
    const said =
      "The journal may not be written to, so that it was read as it lies there; its newest records may be missing.";
    io.stderr(`${colours(io).yellow(`! ${said}`)}\n`);
  }
  if (damage) reportError(damage, io, { json: false });
  return damage !== undefined;
}
