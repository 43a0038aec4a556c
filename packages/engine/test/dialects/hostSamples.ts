import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decodeCall } from "../../src/dialects/decodeCall.ts";
import type { HostEvent } from "../../src/dialects/dialect.ts";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";

type Payload = Readonly<Record<string, unknown>>;

const FOLDER = fileURLToPath(new URL("../fixtures/hosts/", import.meta.url));

/** What the real agent sent. */
export function sample(host: DialectName, event: string): Payload {
  return JSON.parse(readFileSync(`${FOLDER}${host}/${event}.json`, "utf8"));
}

export function sampleNames(host: DialectName): readonly string[] {
  return readdirSync(`${FOLDER}${host}`).map((file) => file.replace(/\.json$/, ""));
}

/** A sample with some fields changed, decoded; it must be an event of ours. */
export function calling(host: DialectName, event: string, changes: Payload = {}): HostEvent {
  const call = decodeCall(DIALECTS[host], event, { ...sample(host, event), ...changes });
  if (call.kind !== "event") throw new Error(JSON.stringify(call));
  return call;
}
