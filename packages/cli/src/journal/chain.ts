import { createHmac, timingSafeEqual } from "node:crypto";

/** The end of a chain, or a place in it: how many records there are up to here, and the signature of the last. */
export interface Link {
  readonly n: number;
  readonly mac: Buffer;
}

export const BEGINNING: Link = { n: 0, mac: Buffer.alloc(32) };

/** Everything of a row that is signed, in the order of its columns. */
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

/** Whose records they are: one user's in one project. The key is in that user's folder only. */
export interface Chain {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * The next link. Each signature covers the one before it: a record that was changed does not fit its own, and where one was
 * taken out, the next does not fit its place. Who does not have the key can make no signature at all.
 */
export function nextLink({ id, key }: Chain, { n, mac }: Link, row: SignedRow): Link {
  const { at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body } = row;
  const signed = [id, n + 1, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body];
  return { n: n + 1, mac: createHmac("sha256", key).update(mac).update(JSON.stringify(signed)).digest() };
}

/** A place up to which records were removed on purpose. */
export interface Checkpoint extends Link {
  readonly at: number;
  /** retention, or accepted: a person knows that they are gone. */
  readonly why: string;
}

export function signCheckpoint({ id, key }: Chain, { n, mac, at, why }: Checkpoint): Buffer {
  return createHmac("sha256", key)
    .update("checkpoint")
    .update(mac)
    .update(JSON.stringify([id, n, at, why]))
    .digest();
}

export function sameMac(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
