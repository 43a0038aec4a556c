import { pathToFileURL } from "node:url";
import {
  type ChainFinding,
  openJournalReader,
  type StatePlace,
  type Verification,
  verifyJournal,
} from "@hookline/journal";
import { JOURNAL, realRoot, storePath } from "@hookline/journal/program";
import { z } from "zod";
import { oldJournalLeft } from "../../state/oldState.ts";
import { counted } from "../../terminal/table.ts";
import { error, type Finding, ok, warning } from "../finding.ts";
import type { StoreState } from "./storeFindings.ts";

/** Verifying more would take too long for `doctor`. */
const MOST_RECORDS = 200_000;
const MOST_SHOWN = 10;

interface Chained {
  readonly place: StatePlace;
  readonly keysPath: string;
  /** The states of the journal and the key store. */
  readonly known: Readonly<Record<"journal" | "keys", StoreState["kind"]>>;
}

/** Shows whether all records are present and intact. */
export async function chainFindings(chained: Chained): Promise<readonly Finding[]> {
  const { place, keysPath, known } = chained;
  if (![known.journal, known.keys].every((kind) => kind === "usable" || kind === "absent")) return [];
  const file = storePath(place, JOURNAL);
  const chains = await chainsIn(place);
  const heads = known.keys === "usable" ? await headsIn(keysPath) : [];
  const isWritten = heads.some(({ project, n }) => project === realRoot(place.projectRoot) && n > 0);
  const records = chains.reduce((sum, chain) => sum + chain.records, 0);
  const isKnown = chains.some(({ chain }) => heads.some((head) => head.chain === chain));
  if (!isWritten && !isKnown) return records === 0 ? [] : [unverifiable(records, file)];
  if (records > MOST_RECORDS) {
    return [ok(`${records} records are too many to verify here; run \`hookline log --verify\``, file)];
  }
  return verified(await verifyJournal(place), file, oldJournalLeft(place));
}

function unverifiable(records: number, file: string): Finding {
  const what = `The journal cannot be verified: you have no key for its ${counted(records, "record")}.`;
  const next =
    "If your programs wrote them, ~/.hookline/journals.db was removed: restore it from a backup. Otherwise another user wrote them, and it is impossible to tell whether they were altered.";
  return warning({ what, file, next });
}

function verified(
  { intact, others, unknown, findings }: Verification,
  file: string,
  old: string | undefined,
): readonly Finding[] {
  const more = findings.length - MOST_SHOWN;
  const elsewhere = others.map((other) => `, ${counted(other.intact, "record")} intact from ${other.project}`).join("");
  const foreign =
    unknown === 0 ? "" : `, and ${counted(unknown, "record")} by another user, without a key to verify them`;
  return [
    ...(findings.length === 0
      ? [ok(`${counted(intact, "record")} intact, none missing${elsewhere}${foreign}`, file)]
      : []),
    ...findings.slice(0, MOST_SHOWN).map((finding) => error({ ...inWords(finding, old), file })),
    ...(more > 0 ? [error({ what: `There are ${more} more findings like these.`, file, next: VERIFY })] : []),
  ];
}

const VERIFY = "`hookline log --verify` lists all of them.";
const LASTS = "The finding stays as long as the records are kept.";

function inWords(finding: ChainFinding, old: string | undefined): { readonly what: string; readonly next: string } {
  switch (finding.kind) {
    case "altered": {
      const what = `Record ${finding.n} was altered or added by a program other than hookline.`;
      return {
        what,
        next: `Do not rely on it; compare it with a backup, and find out who wrote to the file. ${LASTS}`,
      };
    }
    case "moved": {
      const what = `Record ${finding.n} was moved from its place.`;
      return { what, next: `Find out who wrote to the file or restored an old copy of it. ${LASTS}` };
    }
    case "removed": {
      return { what: `${numbers(finding)} removed.`, next: whereTheyAre(old) };
    }
    case "cut": {
      const what = `${numbers(finding)} cut off from the end, or the journal was removed.`;
      return { what, next: whereTheyAre(old) };
    }
    case "forgedCheckpoint": {
      const what = `Records up to ${finding.n} were removed by a program other than hookline: the checkpoint's signature is wrong.`;
      return { what, next: `Find out who wrote to the file. ${LASTS}` };
    }
  }
}

function whereTheyAre(old: string | undefined): string {
  if (old !== undefined) return `They may be in ${old}, of an earlier version: \`hookline doctor --fix\` copies them.`;
  return `Look for a \`journal.db.damaged-…\` beside it, or a copy, that still has them. ${LASTS}`;
}

function numbers({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `Record ${from} was` : `Records ${from} to ${to} were`;
}

const head = z.object({ chain: z.string(), project: z.string(), n: z.number() });

/** Read the heads directly: verifying would create a missing key, and `doctor` must not write. */
async function headsIn(keysPath: string): Promise<readonly z.infer<typeof head>[]> {
  const { default: SqlDatabase } = await import("libsql");
  const db = new SqlDatabase(`${pathToFileURL(keysPath).href}?mode=ro`);
  try {
    return z.array(head).parse(db.prepare("SELECT chain, project, n FROM heads").all());
  } catch {
    return []; // the store is still empty
  } finally {
    db.close();
  }
}

const chainRow = z.object({ chain: z.string(), records: z.number() });

async function chainsIn(place: StatePlace): Promise<readonly z.infer<typeof chainRow>[]> {
  const reader = await openJournalReader(place);
  try {
    return reader?.rows(chainRow, "SELECT chain, count(*) AS records FROM records GROUP BY chain") ?? [];
  } finally {
    reader?.close();
  }
}
