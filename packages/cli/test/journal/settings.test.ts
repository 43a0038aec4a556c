import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Redaction } from "../../../journal/src/redaction/redaction.ts";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

// Programs are started, on a machine that may have much else to do.
vi.setConfig({ testTimeout: 60_000 });

const NUMBER = "KD-123456";
const NO = `sh -c 'cat >&2; exit 2'`; // its reason is the whole input

/** A person who says this about the journal, and a hook that has objected to a tool with a number of theirs. */
async function recorded(journal: unknown): Promise<Machine> {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "no", command: NO }]),
    [USER_FILE]: { hooksConfig: { journal } },
  });
  const input = ["tool_name=write_file", `tool_input.customer=${NUMBER}`, `tool_input.${NUMBER}=1`];
  const { code } = await machine.cli(["fire", "BeforeTool", ...input, "--trust-project"]);
  expect(code).toBe(2);
  return machine;
}

/** Everything on disk that belongs to the journal. */
function onDisk(machine: Machine): string {
  const files = readdirSync(join(machine.dir, machine.state)).filter((name) => name.startsWith("journal.db"));
  return files.map((name) => machine.read(`${machine.state}/${name}`)).join("");
}

test("a pattern is applied although another field of the setting is wrong", async () => {
  const machine = await recorded({ redact: { patterns: ["KD-[0-9]+"] }, maxAge: 30 });
  expect(onDisk(machine)).toContain("write_file");
  expect(onDisk(machine)).not.toContain(NUMBER);
});

test("nothing is recorded if that is what the setting says, although another field is wrong", async () => {
  const machine = await recorded({ enabled: false, maxAge: "1x" });
  expect(machine.has(`${machine.state}/journal.db`)).toBe(false);
});

test("a pattern that cannot be read keeps every payload off the disk, and the decision on it", async () => {
  const machine = await recorded({ redact: { patterns: ["KD-[0-9+"] } });
  expect(onDisk(machine)).not.toContain(NUMBER);
  const { stdout } = await machine.cli(["log", "--json"]);
  const [event] = stdout.trim().split("\n");
  expect(JSON.parse(event ?? "")).toMatchObject({
    event: "BeforeTool",
    subject: "[redacted]",
    outcome: "block",
    body: { input: "[redacted]", redacted: true },
  });
});

const MISTAKEN = '{ "hooksConfig": { "journal": {\n  "maxAge": 30,\n  "redact": { "patterns": ["("] } } } }';

test.each(["validate", "doctor"])("hookline %s shows what is wrong, and where", async (command) => {
  const { code, stdout } = await new Machine({ [USER_FILE]: MISTAKEN }).cli([command]);
  expect(code).toBe(1);
  expect(stdout).toContain('"hooksConfig.journal.maxAge" 30 is not an age');
  expect(stdout).toContain("settings.json:2:13");
  expect(stdout).toContain("the journal keeps no input, output or reason");
  expect(stdout).toContain("settings.json:3:28");
});

test("hookline list says that there is something wrong", async () => {
  const { stdout } = await new Machine({ [USER_FILE]: MISTAKEN }).cli(["list"]);
  expect(stdout).toContain("2 errors: run `hookline validate`");
});

test.each(["", "text", 7, null, { [NUMBER]: [NUMBER] }])("without room for payloads nothing of %j is kept", (given) => {
  const redaction = new Redaction({ keys: [], patterns: [], values: [], payloadBytes: 0 });
  const withheld = { value: "[redacted]", redacted: true, cut: false };
  expect([redaction.payload(given), redaction.text(JSON.stringify(given))]).toEqual([withheld, withheld]);
});
