import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { markSession, sessionAbove } from "../../src/decisions/sessionMarks.ts";
import { ancestors, processFacts } from "../../src/terminal/processes.ts";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";

const FILES = {
  "project/check.sh": "#!/bin/sh\nexit 0\n",
  [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "check", command: "$HOOKLINE_PROJECT_DIR/check.sh --strict" }]),
};
const report = z.object({ fingerprint: z.string(), trusted: z.boolean() });

async function look(machine: Machine, cwd = "project"): Promise<z.infer<typeof report>> {
  return report.parse(JSON.parse((await machine.cli(["trust", "--json"], { cwd })).stdout));
}

test("a script that expects what is there is taken at its word; any change is refused", async () => {
  const machine = new Machine(FILES);
  const { fingerprint } = await look(machine);
  machine.write({ "project/check.sh": "#!/bin/sh\nexit 1\n" });
  const refused = await machine.cli(["trust", "--expect", fingerprint]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("nothing was trusted")]);
  expect((await look(machine)).trusted).toBe(false);
  machine.write({ "project/check.sh": "#!/bin/sh\nexit 0\n" });
  expect((await machine.cli(["trust", "--expect", fingerprint])).code).toBe(0);
  expect((await look(machine)).trusted).toBe(true);
});

test("the fingerprint of a project is the same wherever it lies", async () => {
  const machine = new Machine(FILES);
  cpSync(machine.project, join(machine.dir, "else where/copy"), { recursive: true });
  expect((await look(machine, "else where/copy")).fingerprint).toBe((await look(machine)).fingerprint);
});

test("what is decided without a terminal is journalled with its processes, and named until a person starts a session", async () => {
  const machine = new Machine({ ...FILES, [USER_FILE]: { approvals: { withoutTerminal: true } } });
  expect((await machine.cli(["trust", "--yes"])).code).toBe(0);
  const { stdout } = await machine.cli(["log", "--json"]);
  expect(stdout).toContain('"subject":"hookline trust"');
  expect(stdout).toContain("decided without a terminal");
  expect(stdout).toContain(`${process.pid} `);

  machine.write({ "answers.jsonl": [says("a"), says("b")].map((line) => JSON.stringify(line)).join("\n") });
  const args = ["run", "-p", "hi", "--model", "replay:../answers.jsonl"];
  for (const interactive of [false, true]) {
    const { stderr } = await machine.run(args, { interactive, env: machine.env() });
    expect(stderr).toContain("Decided without a terminal at ");
  }
  const { stderr } = await machine.run(args, { env: machine.env() });
  expect(stderr).not.toContain("Decided without a terminal");
});

test.each<[string, (file: string) => void]>([
  ["a pipe", (file) => execFileSync("mkfifo", [file])],
  ["a link", (file) => symlinkSync("/dev/zero", file)],
  ["a folder", (file) => mkdirSync(file)],
])(
  "%s in the place of that list hangs nothing: it is said, and nothing is decided that cannot be kept",
  async (_what, put) => {
    const machine = new Machine({ ...FILES, [USER_FILE]: { approvals: { withoutTerminal: true } } });
    put(join(machine.home, ".hookline/unattended.jsonl"));
    expect(await endOrHang(machine.start(["trust", "--yes"]))).toMatchObject({ code: 1 });
    expect((await look(machine)).trusted).toBe(false);
    machine.write({ "answers.jsonl": JSON.stringify(says("a")) });
    const args = ["run", "-p", "hi", "--model", "replay:../answers.jsonl", "--trust-project"];
    const ended = await endOrHang(machine.start(args));
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("unattended.jsonl cannot be read") });
  },
);

test("a pipe among the marks of sessions hangs nothing", async () => {
  const machine = new Machine(FILES);
  mkdirSync(join(machine.home, ".hookline/run"), { recursive: true, mode: 0o700 });
  for (const { pid } of ancestors()) execFileSync("mkfifo", [join(machine.home, ".hookline/run", String(pid))]);
  expect(await endOrHang(machine.start(["trust", "--yes"]))).toMatchObject({ code: 1 });
});

test("a decision at a terminal leaves no such notice", async () => {
  const machine = new Machine(FILES);
  expect((await machine.run(["trust", "--yes"])).code).toBe(0);
  expect(machine.has("home/.hookline/unattended.jsonl")).toBe(false);
});

test("below a session nothing is decided, also with --expect, withoutTerminal or a terminal", async () => {
  const machine = new Machine({ ...FILES, [USER_FILE]: { approvals: { withoutTerminal: true } } });
  const session = {
    pid: 1,
    parent: 0,
    startedAt: "1",
    argv: ["/usr/bin/node", "/opt/hookline/bin/hookline.js", "chat"],
  };
  const { fingerprint } = await look(machine);
  for (const words of [["--yes"], ["--expect", fingerprint], ["--revoke"]]) {
    const { code, stderr } = await machine.run(["trust", ...words], { ancestors: () => [session] });
    expect([code, stderr]).toEqual([1, expect.stringContaining("was started in an agent's session")]);
  }
});

test.each([
  [["node", "/x/bin/hookline", "run"], true],
  [["/usr/bin/nodejs", "--enable-source-maps", "hookline.js"], true],
  [["npx", "hookline", "trust"], false],
  [["/home/kim/.local/bin/claude", "-p"], true],
  [["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"], true],
  [["/usr/bin/node", "/opt/bin/gemini"], true],
  [["vim", "/x/hookline.js"], false],
  [["node", "/usr/bin/yarn.js", "hookline", "trust"], false],
  [["bash", "-c", "hookline trust"], false],
])("%j is a session: %s", (argv, isSession) => {
  const ancestor = { pid: 1, parent: 0, startedAt: "1", argv };
  const above = sessionAbove({ env: {}, homeDir: "/nowhere", ancestors: () => [ancestor] });
  expect(above !== undefined).toBe(isSession);
});

test("a session is known by its process, whatever its command line, until it ends", () => {
  const { home } = new Machine();
  const self = processFacts(process.pid);
  if (!self) throw new Error("This process is not running");
  const above = () => sessionAbove({ env: {}, homeDir: home, ancestors: () => [self] });
  expect(above()).toBeUndefined();
  const unmark = markSession(home);
  expect(above()).toContain(`process ${process.pid}`);
  expect(sessionAbove({ env: {}, homeDir: home, ancestors: () => [{ ...self, startedAt: "0" }] })).toBeUndefined();
  unmark();
  expect(above()).toBeUndefined();
});

test("the mark of a session that was killed is removed by the next one", () => {
  const machine = new Machine();
  const ended = Number(execFileSync("/bin/sh", ["-c", "echo $$"], { encoding: "utf8" }));
  machine.write({ [`home/.hookline/run/${ended}`]: "1" });
  markSession(machine.home)();
  expect(machine.has(`home/.hookline/run/${ended}`)).toBe(false);
});

test("the processes above one are found, the parent first", async () => {
  const child = spawn("/bin/sh", ["-c", "cat; exit"], { stdio: ["pipe", "ignore", "ignore"] });
  const [parent, ...more] = ancestors(child.pid);
  expect(parent).toMatchObject({ pid: child.pid, parent: process.pid });
  expect(more[0]).toMatchObject({ pid: process.pid, parent: process.ppid });
  child.stdin?.end();
});

test("only a user's or the system's settings say that approvals need no terminal; elsewhere it is reported", async () => {
  const machine = new Machine({ [PROJECT_FILE]: { approvals: { withoutTerminal: true } } });
  expect((await machine.cli(["validate"])).stdout).toContain(
    '"approvals.withoutTerminal" is read from user and system files only',
  );
  machine.write({ [PROJECT_FILE]: "{}", [USER_FILE]: { approvals: { withoutTerminal: "yes", withoutTerminl: true } } });
  const { stdout } = await machine.cli(["validate"]);
  expect(stdout).toContain('"approvals.withoutTerminal" is true or false, not "yes"');
  expect(stdout).toContain('Did you mean "withoutTerminal"?');
  expect(readFileSync(join(machine.dir, USER_FILE), "utf8")).toContain("yes");
});
