import { BEGINNING, type Chain, isGenuine, type Link, sameMac } from "../chain/chain.ts";
import { CHECKPOINTS, type Checkpoint, readCheckpoint } from "../chain/checkpoint.ts";
import type { Head } from "../chain/headStore.ts";
import { readSigned } from "../chain/signedRecord.ts";
import type { JournalReader } from "./journalReader.ts";

/** A problem with the records of a chain. */
export type ChainFinding =
  /** The signature does not match: the record was altered or forged. `id` is its id in the journal. */
  | { readonly kind: "altered"; readonly id: number; readonly n: number }
  /** The record is intact, but not at its original position. */
  | { readonly kind: "moved"; readonly id: number; readonly n: number }
  /** Records with these numbers are missing. */
  | { readonly kind: "removed"; readonly from: number; readonly to: number }
  /** The last records are missing: there were records up to this number. */
  | { readonly kind: "cut"; readonly from: number; readonly to: number }
  /** The signature of a checkpoint is wrong. */
  | { readonly kind: "forgedCheckpoint"; readonly n: number };

export interface VerifiedChain {
  /** Number of intact records. */
  readonly intact: number;
  readonly findings: readonly ChainFinding[];
  /** Records up to this one were removed on purpose, with a signed checkpoint. */
  readonly pruned?: Checkpoint;
  /** The number of the last record present, up to the acknowledged head. */
  readonly last: number;
}

/** Verifies a chain from its checkpoint to its head. */
export function verifyChain(reader: JournalReader, head: Head): VerifiedChain {
  const { chain } = head;
  const findings: ChainFinding[] = [];
  const pruned = lastCheckpoint(reader, chain, findings);
  let end: Link = pruned ?? BEGINNING;
  const from = end.n;
  let lastId = Number.NEGATIVE_INFINITY;
  let intact = 0;
  /** Numbers of altered records after the last intact one. */
  let altered: number[] = [];
  for (const given of reader.each("SELECT * FROM records WHERE chain = ? ORDER BY n", [chain.id])) {
    const record = readSigned(given);
    const { id, n } = record;
    // No genuine record has a number below the checkpoint.
    if (n <= from || !isGenuine(chain, record)) {
      findings.push({ kind: "altered", id, n });
      if (n > from) altered.push(n);
      continue;
    }
    const follows = sameMac(record.prev, end.mac);
    const gaps = follows ? [] : gapsIn([end.n, ...altered, n]);
    findings.push(...gaps);
    // Ids ascend with numbers. Restoring an old copy creates two records with one number.
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

/** The gaps between these numbers. */
function gapsIn(numbers: readonly number[]): readonly ChainFinding[] {
  return numbers.flatMap((n, index): readonly ChainFinding[] => {
    const next = numbers[index + 1];
    return next === undefined || next <= n + 1 ? [] : [{ kind: "removed", from: n + 1, to: next - 1 }];
  });
}

export function cutFindings({ n: to }: Link, last: number): readonly ChainFinding[] {
  return last < to ? [{ kind: "cut", from: last + 1, to }] : [];
}

/** The start of the chain: after the last signed checkpoint. */
function lastCheckpoint(reader: JournalReader, chain: Chain, findings: ChainFinding[]): Checkpoint | undefined {
  for (const row of reader.each(CHECKPOINTS, [chain.id])) {
    const checkpoint = readCheckpoint(chain, row);
    const { isGenuine: isOurs, ...place } = checkpoint;
    if (isOurs) return place;
    findings.push({ kind: "forgedCheckpoint", n: checkpoint.n });
  }
  return undefined;
}
