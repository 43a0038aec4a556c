import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqlDatabase from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { verifyJournal } from "../../src/reader/verifyJournal.ts";
import { statePath } from "../../src/state/statePlace.ts";
import { Appender } from "../support/appenders.ts";
import { OPTIONS } from "../support/journalFixtures.ts";

const PROCESSES = 8;
/** At least one for each program. `npm run soak` runs more of them, with more records. */
const ROUNDS = Number(process.env.HOOKLINE_SOAK_ROUNDS ?? 6);
const RECORDS = Number(process.env.HOOKLINE_SOAK_RECORDS ?? 200);
const LATE = /^(Another program has locked the journal|The journal is slow):/;

test(`${ROUNDS} times one of ${PROCESSES} programs that append ${RECORDS} records each is killed: what was acknowledged is there, and the chain holds`, {
  timeout: 6 * 3_600_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), "hookline-killed-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [projectRoot, homeDir] = [join(dir, "project"), join(dir, "home")];
  for (const folder of [projectRoot, homeDir]) mkdirSync(folder);
  const acknowledged: string[] = [];
  const begin = () => new Appender({ projectRoot, homeDir, options: { ...OPTIONS, maxBytes: 1e12 } }, acknowledged);
  const programs = Array.from({ length: PROCESSES }, begin);
  // Who takes the place of the one that is killed is started by then.
  let next = begin();
  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.length;
    const appending = programs.map((program) => program.append(round, RECORDS));
    // Somewhere in the middle, at another place every time.
    const after = before + Math.floor(Math.random() * RECORDS * (PROCESSES - 1));
    while (acknowledged.length < after) await new Promise((resolve) => setTimeout(resolve, 1));
    const victim = round % PROCESSES;
    await programs[victim]?.kill();
    await Promise.all(appending);
    // That it takes long when so many write may be said; that anything is lost may not.
    const said = programs.flatMap(({ stderr }) => stderr.split("\n").filter(Boolean));
    expect(said.filter((line) => !LATE.test(line))).toEqual([]);
    programs[victim] = next;
    next = begin();
  }
  programs.push(next);
  expect(await Promise.all(programs.map((program) => program.end()))).toEqual(programs.map(() => 0));

  const db = new SqlDatabase(join(statePath({ projectRoot, homeDir }), "journal.db"), { readonly: true });
  const rows = db.prepare("SELECT json_extract(body, '$.callId') AS id FROM records WHERE kind = 'approval'").all();
  db.close();
  const kept = new Set(
    z
      .array(z.object({ id: z.string() }))
      .parse(rows)
      .map(({ id }) => id),
  );
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(kept.size).toBe(rows.length);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * (PROCESSES - 1) * RECORDS);
  expect(await verifyJournal({ projectRoot, homeDir })).toMatchObject({ unknown: 0, findings: [] });
});
