import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readJson, writeJson } from "./files.mjs";

const FILE = fileURLToPath(new URL("../packages/cli/src/hosts/proof.json", import.meta.url));

/** A row of the results. `can` is what the dialect says: `yes`, `no`, or the outcome that the host is told instead. */
export function resultRow({ name, column, failure, expected }, facts, { happened, evidence }) {
  const { event, can } = facts;
  return {
    case: name,
    ...(column ? { event, outcome: column.outcome, can: can.is === "degraded" ? can.to : can.is } : {}),
    ...(failure ? { failure: facts.failure.when } : {}),
    expected: expected(facts),
    happened,
    evidence,
  };
}

/** Replaces the results of one host. */
export async function writeResults(host, { version, rows }) {
  const all = existsSync(FILE) ? await readJson(FILE) : {};
  const date = new Date().toISOString().slice(0, 10);
  await writeJson(FILE, { ...all, [host]: { version, date, cases: rows } });
}
