import { createHmac, timingSafeEqual } from "node:crypto";

/** The end of a chain, or a place in it: how many records there are up to here, and the signature of the last. */
export interface Link {
  readonly n: number;
  readonly mac: Buffer;
}

/** A link with the bytes of everything that was ever written up to here: two of them say how much lies between. */
export interface End extends Link {
  readonly written: number;
}

export const BEGINNING: End = { n: 0, mac: Buffer.alloc(32), written: 0 };

/** What a record says, in the order of its columns. */
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

/** A record in its place. `prev` is the signature of the one before it, so that it can be checked also where that one is gone. */
export interface SignedRecord extends SignedRow, End {
  readonly id: number;
  readonly prev: Buffer;
}

/** Whose records they are: one user's in one project. The key is in that user's folder only. */
export interface Chain {
  readonly id: string;
  readonly key: Buffer;
}

/** Of a row besides its body: the other columns, and its lines in the indexes. */
const ROW_BYTES = 600;

/**
 * The next link. Each signature covers the one before it: a record that was changed does not fit its own, and where one was
 * taken out, the next does not fit its place. Who does not have the key can make no signature at all.
 */
export function nextLink(chain: Chain, end: End, row: SignedRow, n = end.n + 1): End {
  const written = end.written + ROW_BYTES + Buffer.byteLength(row.body);
  return { n, written, mac: signature(chain, end.mac, { n, written }, row) };
}

/** Whether it is as one of our programs has written it, in this place of this chain. */
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
