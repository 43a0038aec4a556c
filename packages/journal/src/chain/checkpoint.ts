import { createHmac } from "node:crypto";
import { bytesIn, numberIn, textIn } from "../store/columns.ts";
import { type Chain, type Link, sameMac } from "./chain.ts";

/** Marks that the records up to here were removed on purpose. */
export interface Checkpoint extends Link {
  readonly at: number;
  /** retention, or accepted: a person confirmed the removal. */
  readonly why: string;
}

/** Newest first. We keep one; any more are forged. */
export const CHECKPOINTS = "SELECT * FROM checkpoints WHERE chain = ? ORDER BY n DESC LIMIT 50";

export function signCheckpoint({ id, key }: Chain, { n, mac, at, why }: Checkpoint): Buffer {
  return createHmac("sha256", key)
    .update("checkpoint")
    .update(mac)
    .update(JSON.stringify([id, n, at, why]))
    .digest();
}

interface ReadCheckpoint extends Checkpoint {
  readonly signature: Buffer;
  readonly isGenuine: boolean;
}

/** Reads a row of CHECKPOINTS and verifies its signature. */
export function readCheckpoint(chain: Chain, row: unknown): ReadCheckpoint {
  const place = { n: numberIn(row, "n"), mac: bytesIn(row, "mac") };
  const checkpoint = { ...place, at: numberIn(row, "at"), why: textIn(row, "why") };
  const signature = bytesIn(row, "signature");
  return { ...checkpoint, signature, isGenuine: sameMac(signature, signCheckpoint(chain, checkpoint)) };
}
