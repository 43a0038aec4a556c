import { storePath } from "../store/storeFile.ts";
import { BEGINNING, type Chain, type Link, nextLink, type SignedRow, sameMac, signCheckpoint } from "./chain.ts";
import { bytesIn, maybeTextIn, numberIn, textIn } from "./columns.ts";
import type { Head, HeadStore } from "./headStore.ts";
import { JOURNAL, journalError } from "./journalError.ts";
import { type JournalReader, openJournalReader } from "./journalReader.ts";

/** What is wrong with the records of a chain. */
export type Finding =
  /** It does not fit its signature. `id` is its id in the journal. */
  | { readonly kind: "altered"; readonly id: number; readonly n: number }
  /** Records of these numbers are missing. */
  | { readonly kind: "removed"; readonly from: number; readonly to: number }
  /** The last ones are missing: there were records up to this number. */
  | { readonly kind: "cut"; readonly from: number; readonly to: number }
  /** Where records were removed, the signature for that is wrong. */
  | { readonly kind: "forgedCheckpoint"; readonly n: number };

export interface Verification {
  /** How many records were found to be as they were written. */
  readonly intact: number;
  /** Records that somebody else wrote, or that came with the project: there is no key for them here. */
  readonly unknown: number;
  readonly findings: readonly Finding[];
}

/** Goes through all records that this user's programs wrote. Throws JOURNAL_UNUSABLE where it cannot be read. */
export async function verifyJournal(projectRoot: string, homeDir: string): Promise<Verification> {
  const { HeadStore } = await import("./headStore.ts");
  const heads = new HeadStore(homeDir);
  try {
    const own = heads.ofProject(projectRoot);
    const reader = await openJournalReader(projectRoot);
    // A journal that is gone altogether is the longest cut.
    if (!reader) return { intact: 0, unknown: 0, findings: cutFindings(own, BEGINNING) };
    try {
      return verifyChains(reader, heads, own);
    } finally {
      reader.close();
    }
  } catch (error) {
    throw journalError(storePath(projectRoot, JOURNAL), error);
  } finally {
    heads.close();
  }
}

function verifyChains(reader: JournalReader, heads: HeadStore, own: Head): Verification {
  const counted = [...reader.each("SELECT chain, count(*) AS records FROM records GROUP BY chain")];
  const chains = counted.map((row) => ({ chain: textIn(row, "chain"), records: numberIn(row, "records") }));
  const known = new Map(chains.flatMap(({ chain }) => [[chain, heads.find(chain)] as const]));
  known.set(own.chain.id, own);
  const results = [...known.values()].flatMap((head) => (head ? [verifyChain(reader, head, own)] : []));
  return {
    intact: results.reduce((sum, { intact }) => sum + intact, 0),
    unknown: chains.reduce((sum, { chain, records }) => sum + (known.get(chain) ? 0 : records), 0),
    findings: results.flatMap(({ findings }) => findings),
  };
}

function verifyChain(reader: JournalReader, head: Head, own: Head): Pick<Verification, "intact" | "findings"> {
  const { chain } = head;
  const findings: Finding[] = [];
  let link = lastCheckpoint(reader, chain, findings);
  let atHead = link.n === head.n ? link : undefined;
  let intact = 0;
  const records = reader.each("SELECT * FROM records WHERE chain = ? AND n > ? ORDER BY n", [chain.id, link.n]);
  for (const given of records) {
    const row = readRow(given);
    if (row.n !== link.n + 1) findings.push({ kind: "removed", from: link.n + 1, to: row.n - 1 });
    // After a gap nothing is known of the record before; then its signature can only be taken for what it says.
    const isAfterGap = row.n !== link.n + 1;
    const expected = isAfterGap ? undefined : nextLink(chain, link, row).mac;
    if (expected && !sameMac(expected, row.mac)) findings.push({ kind: "altered", id: row.id, n: row.n });
    else intact += 1;
    link = { n: row.n, mac: row.mac };
    if (link.n === head.n) atHead = link;
  }
  // A copy of a journal from elsewhere ends where it was copied.
  if (head.chain.id !== own.chain.id) return { intact, findings };
  if (link.n < head.n) findings.push(...cutFindings(head, link));
  else if (atHead && !sameMac(atHead.mac, head.mac)) findings.push({ kind: "altered", id: 0, n: head.n });
  return { intact, findings };
}

function readRow(row: unknown): SignedRow & Link & { readonly id: number } {
  return {
    id: numberIn(row, "id"),
    n: numberIn(row, "n"),
    mac: bytesIn(row, "mac"),
    at: numberIn(row, "at"),
    kind: textIn(row, "kind"),
    session: textIn(row, "session"),
    turn: numberIn(row, "turn"),
    event_id: maybeTextIn(row, "event_id"),
    event: maybeTextIn(row, "event"),
    subject: maybeTextIn(row, "subject"),
    hook: maybeTextIn(row, "hook"),
    outcome: textIn(row, "outcome"),
    duration_us: numberIn(row, "duration_us"),
    body: textIn(row, "body"),
  };
}

function cutFindings(head: Link, end: Link): readonly Finding[] {
  return end.n < head.n ? [{ kind: "cut", from: end.n + 1, to: head.n }] : [];
}

/** Where the chain begins: after what was removed on purpose, and signed for. */
function lastCheckpoint(reader: JournalReader, chain: Chain, findings: Finding[]): Link {
  const [found] = reader.each("SELECT * FROM checkpoints WHERE chain = ? ORDER BY n DESC LIMIT 1", [chain.id]);
  if (found === undefined) return BEGINNING;
  const place = { n: numberIn(found, "n"), mac: bytesIn(found, "mac") };
  const checkpoint = { ...place, at: numberIn(found, "at"), why: textIn(found, "why") };
  if (sameMac(bytesIn(found, "signature"), signCheckpoint(chain, checkpoint))) return checkpoint;
  findings.push({ kind: "forgedCheckpoint", n: checkpoint.n });
  return BEGINNING;
}
