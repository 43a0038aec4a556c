import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import SqlDatabase from "libsql";
import { describe, expect, test } from "vitest";
import { JOURNAL_SCHEMA } from "../../../journal/src/records/journalSchema.ts";
import { AgentProject } from "../support/agentProject.ts";
import type { Ended } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";

/** More than any of these runs needs, and less than anybody waits. */

/** Takes minutes, each time that it is looked at. */
const NEVER_ENDS = "instr(zeroblob(20000000), zeroblob(10000000) || x'01') = 0";

const GUARD = { on: "BeforeTool", name: "guard", answers: { decision: "deny", reason: "not this file" } };
const ANSWERS = [calls("write_file", { file_path: "a.txt", content: "x" }), says("Done.")];

/** How it ended; undefined if it had to be killed. */
async function runOf(project: AgentProject, env: Readonly<Record<string, string>> = {}): Promise<Ended | undefined> {
  const ended = await endOrHang(project.start({ answers: ANSWERS, output: "text", env }).child);
  return ended === "hung" ? undefined : ended;
}

/** A file that a repository can have committed. */
function ship(project: AgentProject, schema: string, rows = ""): void {
  const folder = join(project.machine.project, ".hookline");
  mkdirSync(folder, { recursive: true });
  const db = new SqlDatabase(join(folder, "journal.db"));
  db.exec(`${schema}\n${rows}`);
  db.close();
}

describe("a repository that ships a journal", () => {
  test.each<[string, string]>([
    [
      "a CHECK that never ends",
      JOURNAL_SCHEMA.replace("mac BLOB NOT NULL\n  ) STRICT", `mac BLOB NOT NULL, CHECK (${NEVER_ENDS})) STRICT`),
    ],
    [
      "a stored column that never ends",
      JOURNAL_SCHEMA.replace(
        "mac BLOB NOT NULL\n  ) STRICT",
        `mac BLOB NOT NULL, slow INTEGER GENERATED ALWAYS AS (${NEVER_ENDS}) STORED) STRICT`,
      ),
    ],
    ["an index that never ends", `${JOURNAL_SCHEMA} CREATE INDEX slow ON records (id, (${NEVER_ENDS}));`],
    [
      "a CHECK on another table that never ends",
      JOURNAL_SCHEMA.replace(
        "PRIMARY KEY (hook, source, day)",
        `PRIMARY KEY (hook, source, day), CHECK (${NEVER_ENDS})`,
      ),
    ],
  ])("with %s does not keep a session from ending", async (_, schema) => {
    expect(schema).not.toBe(JOURNAL_SCHEMA);
    const project = new AgentProject({ hooks: [GUARD] });
    ship(project, schema);
    const ended = await runOf(project);
    expect(ended?.code).toBe(0);
    expect(existsSync(join(project.machine.project, "a.txt"))).toBe(false);
  });

  test("does not have its records shown as what happened here", async () => {
    const project = new AgentProject({ hooks: [GUARD] });
    const record = `'forged', 1, ${Date.now()}, 'event', 's', 1, 'e', 'BeforeTool', 'write_file', NULL, 'allow', 1, '{}', 1, x'', x''`;
    const columns =
      "chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body, written, prev, mac";
    ship(project, JOURNAL_SCHEMA, `INSERT INTO records (${columns}) VALUES (${record});`);
    expect(await project.machine.cli(["log"])).toMatchObject({ code: 0, stdout: "Nothing is recorded here yet.\n" });
    expect((await project.machine.cli(["stats"])).stdout).not.toContain("BeforeTool");
  });
});

describe.runIf(process.platform === "linux")("a home in which no folder can be made", () => {
  test.each(["/proc", "/proc/self", "/dev/fd"])(
    "(%s) neither keeps a session from ending nor stops a guard",
    async (home) => {
      const project = new AgentProject({ hooks: [GUARD] });
      const ended = await runOf(project, { HOME: home });
      expect(ended?.code).toBe(0);
      expect(ended?.stderr).toContain("The journal is not written");
      expect(existsSync(join(project.machine.project, "a.txt"))).toBe(false);
    },
  );
});
