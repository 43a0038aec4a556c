import { BEGINNING, type Chain, isGenuine, type Link, sameMac } from "../chain/chain.ts";
import { CHECKPOINTS, type Checkpoint, readCheckpoint } from "../chain/checkpoint.ts";
import type { Head } from "../chain/headStore.ts";
import { readSigned } from "../chain/signedRecord.ts";
import type { JournalReader } from "./journalReader.ts";

/** What is wrong with the records of a chain. */
export type Finding =
  /** It does not fit its signature: it was changed, or somebody else wrote it. `id` is its id in the journal. */
  | { readonly kind: "altered"; readonly id: number; readonly n: number }
  /** It is as it was written, but does not stand where it was written. */
  | { readonly kind: "moved"; readonly id: number; readonly n: number }
  /** Records of these numbers are missing. */
  | { readonly kind: "removed"; readonly from: number; readonly to: number }
  /** The last ones are missing: there were records up to this number. */
  | { readonly kind: "cut"; readonly from: number; readonly to: number }
  /** Where records were removed, the signature for that is wrong. */
  | { readonly kind: "forgedCheckpoint"; readonly n: number };

export interface VerifiedChain {
  /** How many records are as they were written. */
  readonly intact: number;
  readonly findings: readonly Finding[];
  /** Records up to this one were removed on purpose, and signed for. */
  readonly pruned?: Checkpoint;
  /** The number of the last record that is there, up to the end that was acknowledged. */
  readonly last: number;
}

/** Goes through a chain from what was removed on purpose to its end. */
export function verifyChain(reader: JournalReader, head: Head): VerifiedChain {
  const { chain } = head;
  const findings: Finding[] = [];
  const pruned = lastCheckpoint(reader, chain, findings);
  let end: Link = pruned ?? BEGINNING;
  const from = end.n;
  let lastId = Number.NEGATIVE_INFINITY;
  let intact = 0;
  /** Numbers since the end whose records are not as they were written. */
  let altered: number[] = [];
  for (const given of reader.each("SELECT * FROM records WHERE chain = ? ORDER BY n", [chain.id])) {
    const record = readSigned(given);
    const { id, n } = record;
    // Nothing of ours has a number that was signed away.
    if (n <= from || !isGenuine(chain, record)) {
      findings.push({ kind: "altered", id, n });
      if (n > from) altered.push(n);
      continue;
    }
    const follows = sameMac(record.prev, end.mac);
    const gaps = follows ? [] : gapsIn([end.n, ...altered, n]);
    findings.push(...gaps);
    // Ids grow with the numbers. And who puts an old copy in place makes two records of one number.
    const isReplaced = !follows && gaps.length === 0 && altered.length === 0;
    const isOther = n === head.n && !sameMac(record.mac, head.mac);
    if (id < lastId || isReplaced || isOther) findings.push({ kind: "moved", id, n });
    else intact += 1;
    lastId = Math.max(id, lastId);
    end = record;
    altered = [];
  }
  return {
    intact,
    findings,
    ...(pruned ? { pruned } : {}),
    last: Math.max(end.n, ...altered.filter((n) => n <= head.n)),
  };
}

/** What is missing between these numbers. */
function gapsIn(numbers: readonly number[]): readonly Finding[] {
  return numbers.flatMap((n, index): readonly Finding[] => {
    const next = numbers[index + 1];
    return next === undefined || next <= n + 1 ? [] : [{ kind: "removed", from: n + 1, to: next - 1 }];
  });
}

export function cutFindings({ n: to }: Link, last: number): readonly Finding[] {
  return last < to ? [{ kind: "cut", from: last + 1, to }] : [];
}

/** Where the chain begins: after what was removed on purpose, and signed for. */
function lastCheckpoint(reader: JournalReader, chain: Chain, findings: Finding[]): Checkpoint | undefined {
  for (const row of reader.each(CHECKPOINTS, [chain.id])) {
    const checkpoint = readCheckpoint(chain, row);
    const { isGenuine: isOurs, ...place } = checkpoint;
    if (isOurs) return place;
    findings.push({ kind: "forgedCheckpoint", n: checkpoint.n });
  }
  return undefined;
}
