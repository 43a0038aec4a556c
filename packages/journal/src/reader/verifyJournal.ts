import type { Head, HeadStore } from "../chain/headStore.ts";
import { JOURNAL, journalError } from "../records/journalError.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { numberIn, textIn } from "../store/columns.ts";
import { storePath } from "../store/storeFile.ts";
import { type JournalReader, openJournalReader } from "./journalReader.ts";
import { type ChainFinding, cutFindings, verifyChain } from "./verifyChain.ts";

export interface Verification {
  /** Number of intact records of this project. */
  readonly intact: number;
  /** Records that this user's programs wrote in other places: a project or its records were moved or copied. */
  readonly others: readonly { readonly project: string; readonly intact: number }[];
  /** Records by another user, or shipped with the project: there is no key for them here. */
  readonly unknown: number;
  readonly findings: readonly ChainFinding[];
  /** Records of this project removed on purpose: up to which number, when, and why. */
  readonly pruned?: { readonly to: number; readonly at: number; readonly why: string };
}

/** Verifies all records that this user's programs wrote. Throws JOURNAL_UNUSABLE if the journal cannot be read. */
export async function verifyJournal(place: StatePlace): Promise<Verification> {
  const { HeadStore } = await import("../chain/headStore.ts");
  const heads = new HeadStore(place.homeDir);
  try {
    const own = heads.ofProject(place.projectRoot);
    const reader = await openJournalReader(place);
    // A missing journal is a cut of all records.
    if (!reader) return { intact: 0, others: [], unknown: 0, findings: cutFindings(own, 0) };
    try {
      return verifyChains(reader, heads, own);
    } finally {
      reader.close();
    }
  } catch (error) {
    throw journalError(storePath(place, JOURNAL), error);
  } finally {
    heads.close();
  }
}

function verifyChains(reader: JournalReader, heads: HeadStore, own: Head): Verification {
  const mine = verifyChain(reader, own);
  const found = [...reader.each("SELECT chain, count(*) AS records FROM records GROUP BY chain")]
    .map((row) => ({ chain: textIn(row, "chain"), records: numberIn(row, "records") }))
    .filter(({ chain }) => chain !== own.chain.id)
    .map(({ chain, records }) => ({ records, head: heads.find(chain) }));
  // A copy from another place ends where it was copied, so its end cannot be verified.
  const others = found.flatMap(({ head }) => (head ? [{ head, ...verifyChain(reader, head) }] : []));
  const { n: to = 0, at = 0, why = "" } = mine.pruned ?? {};
  return {
    ...(to > 0 ? { pruned: { to, at, why } } : {}),
    intact: mine.intact,
    others: others.map(({ head: { project }, intact }) => ({ project, intact })),
    unknown: found.reduce((sum, { head, records }) => sum + (head ? 0 : records), 0),
    findings: [...mine.findings, ...cutFindings(own, mine.last), ...others.flatMap(({ findings }) => findings)],
  };
}
