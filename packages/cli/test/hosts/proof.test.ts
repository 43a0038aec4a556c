import { DIALECTS, OUTCOMES } from "@hookline/engine/program";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ROOT, readText } from "../../../../test/repository.ts";

const row = z.object({
  case: z.string(),
  event: z.string().optional(),
  outcome: z.enum(OUTCOMES).optional(),
  can: z.string().optional(),
  failure: z.string().optional(),
  expected: z.string(),
  happened: z.string(),
  evidence: z.string(),
});
const proof = z
  .record(z.string(), z.object({ version: z.string(), date: z.iso.date(), cases: z.array(row) }))
  .parse(JSON.parse(readText("packages/cli/src/hosts/proof.json")));

const HINT = "run `npm run hosts`, and mend the dialect if the agent does something else";

describe.each(Object.values(DIALECTS))("$title did what its table says", (dialect) => {
  const { version = "", cases = [] } = proof[dialect.name] ?? {};
  const columns = Object.entries(dialect.events).flatMap(([event, spec]) =>
    spec.ours === null ? [] : OUTCOMES.map((outcome) => ({ event, outcome, can: spec.can[outcome] })),
  );

  test("in the version that it names", () => {
    expect(`${version}.`.slice(0, dialect.tested.length + 1)).toBe(`${dialect.tested}.`);
  });

  test("in every case", () => {
    expect(cases.filter(({ expected, happened }) => expected !== happened)).toEqual([]);
  });

  test("in every column that says tested, and in no other", () => {
    const claimed = columns.filter(({ can }) => can.evidence === "tested");
    const shown = cases.flatMap(({ event, outcome, can }) => (event && outcome ? [`${event} ${outcome}: ${can}`] : []));
    const said = claimed.map(
      ({ event, outcome, can }) => `${event} ${outcome}: ${can.is === "degraded" ? can.to : can.is}`,
    );
    expect(shown.toSorted(), HINT).toEqual(said.toSorted());
  });

  test("in every failure that says tested, and in no other", () => {
    const claimed = dialect.failure.rows.filter(({ evidence }) => evidence === "tested").map(({ when }) => when);
    const shown = new Set(cases.flatMap(({ failure }) => failure ?? []));
    expect([...shown].toSorted(), HINT).toEqual(claimed.toSorted());
  });
});

interface Generator {
  readonly PROOF_PAGE: string;
  readonly proofPage: (results: object, from: object) => string;
}

test("the page about what was seen is what the results say; else run `npm run docs`", async () => {
  const { PROOF_PAGE, proofPage }: Generator = await import(`${ROOT}scripts/proofPage.mjs`);
  expect(readText(PROOF_PAGE)).toBe(proofPage(proof, { DIALECTS }));
});
