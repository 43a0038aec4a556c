import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { numberIn } from "../../journal/columns.ts";
import { JOURNAL } from "../../journal/journalError.ts";
import { openJournalReader } from "../../journal/journalReader.ts";
import { type Finding as ChainFinding, verifyJournal } from "../../journal/verifyJournal.ts";
import { storePath } from "../../store/storeFile.ts";
import { counted } from "../../table.ts";
import { error, type Finding, ok } from "../finding.ts";
import { countRecords } from "./journalFindings.ts";
import type { StoreState } from "./storeFindings.ts";

/** More would take longer than anybody waits in passing. */
const MOST_RECORDS = 200_000;
const MOST_SHOWN = 10;

interface Chained {
  readonly projectRoot: string;
  readonly homeDir: string;
  readonly keysPath: string;
  /** Whether the journal and the keys can be read. */
  readonly known: Readonly<Record<"journal" | "keys", StoreState["kind"]>>;
}

/** Whether the records are those that were written, and all of them. */
export async function chainFindings({ projectRoot, homeDir, keysPath, known }: Chained): Promise<readonly Finding[]> {
  const isReadable = known.journal === "usable" || known.journal === "absent";
  if (!isReadable || known.keys !== "usable") return [];
  const written = await recordsWritten(projectRoot, keysPath);
  if (written === 0) return [];
  const file = storePath(projectRoot, JOURNAL);
  const records = await recordsIn(projectRoot);
  if (records > MOST_RECORDS) {
    return [ok(`${records} records are too many to be verified in passing: \`hookline log --verify\` does it`, file)];
  }
  const { intact, unknown, findings } = await verifyJournal(projectRoot, homeDir);
  const more = findings.length - MOST_SHOWN;
  const foreign = unknown === 0 ? "" : `, and ${counted(unknown, "record")} by somebody else, for whom there is no key`;
  return [
    ...(findings.length === 0 ? [ok(`${counted(intact, "record")} as written, none missing${foreign}`, file)] : []),
    ...findings.slice(0, MOST_SHOWN).map((finding) => error({ ...inWords(finding), file })),
    ...(more > 0 ? [error({ what: `There are ${more} more such findings.`, file, next: VERIFY })] : []),
  ];
}

const VERIFY = "`hookline log --verify` lists all of them.";
const LASTS = "The finding stays for as long as records are kept.";

function inWords(finding: ChainFinding): { readonly what: string; readonly next: string } {
  switch (finding.kind) {
    case "altered": {
      const what = `Record ${finding.n} was altered, and not by hookline.`;
      return { what, next: `Do not rely on it; compare it with a copy, and find out who wrote to the file. ${LASTS}` };
    }
    case "removed": {
      const next = `Look for a \`journal.db.damaged-…\` beside it, or a copy, that still has them. ${LASTS}`;
      return { what: `${numbers(finding)} removed.`, next };
    }
    case "cut": {
      const next = `Look for a \`journal.db.damaged-…\` beside it, or a copy, that still has them. ${LASTS}`;
      return { what: `${numbers(finding)} cut off from the end, or the journal was removed.`, next };
    }
    case "forgedCheckpoint": {
      const what = `Records up to ${finding.n} were removed, and not by hookline: the signature for that is wrong.`;
      return { what, next: `Find out who wrote to the file. ${LASTS}` };
    }
  }
}

function numbers({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `Record ${from} was` : `Records ${from} to ${to} were`;
}

/** By this user in this project, ever. To verify makes a key where there is none; whoever only looks makes nothing. */
async function recordsWritten(projectRoot: string, keysPath: string): Promise<number> {
  const { default: SqlDatabase } = await import("libsql");
  const db = new SqlDatabase(`${pathToFileURL(keysPath).href}?mode=ro`);
  try {
    const row = db.prepare("SELECT max(n) AS n FROM heads WHERE project = ?").get([realpathSync(projectRoot)]);
    return numberIn(row, "n");
  } catch {
    return 0; // nothing is known of this project
  } finally {
    db.close();
  }
}

async function recordsIn(projectRoot: string): Promise<number> {
  const reader = await openJournalReader(projectRoot);
  try {
    return reader ? countRecords(reader) : 0;
  } finally {
    reader?.close();
  }
}
