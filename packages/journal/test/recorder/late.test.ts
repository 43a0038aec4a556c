import { expect, onTestFinished, test } from "vitest";
import { Journal } from "../../src/recorder/journal.ts";
import { JournalFolder, OPTIONS } from "../support/journalFixtures.ts";

const WAIT_MS = 100;

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
