import { realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import { makeStateSubfolder, realRoot } from "@hookline/journal/program";
import type { Database } from "libsql";
import { copyOwnFile } from "../../state/copyOwnFile.ts";
import { oldStateIn, setTakenOver } from "../../state/oldState.ts";
import { counted } from "../../terminal/table.ts";
import { takeRecords } from "./takeRecords.ts";
import { takeTasks } from "./takeTasks.ts";
import { takeTranscripts } from "./takeTranscripts.ts";

const MOST_BYTES = 2 * 1024 ** 3;

/** What to import from each file, with a noun for messages. The old files are never changed. */
const KINDS: Readonly<
  Record<string, readonly [noun: string, take: (file: string, place: StatePlace) => Promise<number>]>
> = {
  "journal.db": ["record", (file, place) => withCopy(file, place, takeRecords)],
  "tasks.db": ["open task", (file, place) => withCopy(file, place, takeTasks)],
  sessions: ["transcript", async (folder, place) => takeTranscripts(folder, place)],
};

/** Imports the user's own data from the state that an earlier version kept in the project. */
export async function takeOver(place: StatePlace): Promise<string> {
  const said: string[] = [];
  for (const file of oldStateIn(place.projectRoot)) {
    const kind = KINDS[file.slice(dirname(file).length + 1)];
    if (!kind) continue;
    const [noun, take] = kind;
    try {
      refuseLinked(file, place);
      said.push(`${counted(await take(file, place), noun)} imported`);
    } catch (cause) {
      said.push(`no ${noun} was imported from ${file}: ${errorText(cause)}`);
    }
  }
  setTakenOver(place);
  return said.join("; ");
}

/** A link leads to files outside the project. */
function refuseLinked(file: string, { projectRoot }: StatePlace): void {
  const expected = join(realRoot(projectRoot), ".hookline");
  if (
    realpathSync(dirname(file)) !== expected ||
    realpathSync(file) !== join(expected, file.slice(dirname(file).length + 1))
  ) {
    throw new Error("it is a link");
  }
}

/** Works on a copy that SQLite cannot write to: the file may come from anyone and must not change. */
async function withCopy(
  file: string,
  place: StatePlace,
  take: (old: Database, place: StatePlace) => number | Promise<number>,
): Promise<number> {
  const { default: SqlDatabase } = await import("libsql");
  // Remains of an attempt that a signal ended.
  rmSync(makeStateSubfolder(place, "import"), { recursive: true });
  const copy = join(makeStateSubfolder(place, "import"), "old.db");
  try {
    copyOwnFile(file, copy, MOST_BYTES);
    const db = new SqlDatabase(`${pathToFileURL(copy).href}?mode=ro&immutable=1`);
    try {
      db.exec("PRAGMA trusted_schema = OFF");
      return await take(db, place);
    } finally {
      db.close();
    }
  } finally {
    rmSync(copy, { force: true });
  }
}
