import { createHmac, timingSafeEqual } from "node:crypto";

/** A position in a chain: the number of records up to here, and the signature of the last one. */
export interface Link {
  readonly n: number;
  readonly mac: Buffer;
}

/**
 * A link with the total bytes written up to here; the difference between two of them is the size of what is in between.
 */
export interface End extends Link {
  readonly written: number;
}

export const BEGINNING: End = { n: 0, mac: Buffer.alloc(32), written: 0 };

/** The signed content of a record, in column order. */
export interface SignedRow {
  readonly at: number;
  readonly kind: string;
  readonly session: string;
  readonly turn: number;
  readonly event_id: string | null;
  readonly event: string | null;
  readonly subject: string | null;
  readonly hook: string | null;
  readonly outcome: string;
  readonly duration_us: number;
  readonly body: string;
}

/**
 * A record with its position. `prev` is the signature of the record before it, so that it can be verified even if that
 * one is gone.
 */
export interface SignedRecord extends SignedRow, End {
  readonly id: number;
  readonly prev: Buffer;
}

/** The records of one user in one project. Only that user's folder has the key. */
export interface Chain {
  readonly id: string;
  readonly key: Buffer;
}

/** Estimated bytes per row excluding the body (columns and index entries). */
const ROW_BYTES = 600;

/**
 * The next link. Each signature covers the previous one: an altered record does not match its own signature, and a
 * removed one breaks the next. Without the key, signatures cannot be forged.
 */
export function nextLink(chain: Chain, end: End, row: SignedRow, n = end.n + 1): End {
  const written = end.written + ROW_BYTES + Buffer.byteLength(row.body);
  return { n, written, mac: signature(chain, end.mac, { n, written }, row) };
}

/** Whether one of our programs wrote this record at this position of this chain. */
export function isGenuine(chain: Chain, record: SignedRecord): boolean {
  return sameMac(signature(chain, record.prev, record, record), record.mac);
}

function signature({ id, key }: Chain, prev: Buffer, { n, written }: Omit<End, "mac">, row: SignedRow): Buffer {
  const { at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body } = row;
  const signed = [id, n, written, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body];
  return createHmac("sha256", key).update(prev).update(JSON.stringify(signed)).digest();
}

export function sameMac(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
