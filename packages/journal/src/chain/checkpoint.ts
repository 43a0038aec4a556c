import { createHmac } from "node:crypto";
import { bytesIn, numberIn, textIn } from "../store/columns.ts";
import { type Chain, type Link, sameMac } from "./chain.ts";

/** A place up to which records were removed on purpose. */
export interface Checkpoint extends Link {
  readonly at: number;
  /** retention, or accepted: a person knows that they are gone. */
  readonly why: string;
}

/** The newest first. There is one; more are somebody else's. */
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

/** A row of CHECKPOINTS, and whether one of our programs has signed it. */
export function readCheckpoint(chain: Chain, row: unknown): ReadCheckpoint {
  const place = { n: numberIn(row, "n"), mac: bytesIn(row, "mac") };
  const checkpoint = { ...place, at: numberIn(row, "at"), why: textIn(row, "why") };
  const signature = bytesIn(row, "signature");
  return { ...checkpoint, signature, isGenuine: sameMac(signature, signCheckpoint(chain, checkpoint)) };
}
