import { expect, onTestFinished, test } from "vitest";
import { Journal } from "../../../journal/src/recorder/journal.ts";
import { notices, Patient } from "../doctor/patient.ts";
import { endOf, eventually } from "../support/machine.ts";
import { JournalFolder, OPTIONS } from "./journalFixtures.ts";

const WAIT_MS = 100;

test("a block that another program keeps from being written takes effect, is said, and is written down later", async () => {
  const hook = { on: "BeforeTool", name: "guard", answers: { decision: "deny", reason: "no" } } as const;
  const patient = await Patient.trusted({ hooks: [hook] });
  await patient.fire();
  const release = await patient.locked(patient.journal);
  const child = patient.machine.start(["fire", "BeforeTool"]);
  const ended = endOf(child);
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  // Why it is late need not be known yet when that is said.
  await eventually(() => /Another program has locked the journal|The journal is slow/.test(said));
  await release();
  const { code, stdout } = await ended;
  expect({ code, told: notices(said).length }).toEqual({ code: 2, told: 1 });
  expect(stdout).toContain("blocked: no");
  const { stdout: log } = await patient.machine.cli(["log"]);
  expect(log.match(/✗ block/g)).toHaveLength(2);
  expect(log).toContain("the program went on before an objection or an approval was kept");
});

test("who waits for what takes longer to write goes on after 100 ms, is told once, and nothing is lost", async () => {
  const folder = new JournalFolder();
  const told: string[] = [];
  const journal = new Journal();
  onTestFinished(() => journal.close());
  const { projectRoot, homeDir } = folder;
  journal.start({ projectRoot, homeDir, options: OPTIONS, env: {}, onNotice: (text) => told.push(text) });
  const count = 4_000;
  const input = { content: "const retries = 3;\n".repeat(1_000) };
  for (let nth = 0; nth < count; nth++) {
    const callId = `call-${nth}`;
    journal.record({
      kind: "approval",
      callId,
      subject: "write_file",
      input,
      approved: true,
      reason: "",
      by: "person",
      hooks: [],
      durationMs: 1,
    });
  }
  for (let nth = 0; nth < 2; nth++) {
    const startedAt = performance.now();
    await journal.commit();
    expect(performance.now() - startedAt).toBeGreaterThan(WAIT_MS - 5);
    expect(journal.pending).toBeGreaterThan(0);
  }
  expect(told).toEqual([expect.stringMatching(/^The journal is slow: /)]);
  while (journal.pending > 0) await journal.commit();
  expect(folder.rows("SELECT id FROM records WHERE kind = 'approval'")).toHaveLength(count);
  expect(folder.rows("SELECT id FROM records WHERE kind = 'late'").length).toBeGreaterThanOrEqual(2);
  expect(told).toHaveLength(1);
});
