import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statePath } from "../../../journal/src/state/statePlace.ts";
import { endOf, hooksOn, Machine, USER_FILE } from "../support/machine.ts";

const KEY = "pay_live_EXAMPLE3f9c27";
const EXAMPLE = new URL("../../../../examples/demo/", import.meta.url);
const PATIENCE_MS = 120_000;

/** A machine whose temporary files are its own, so that what is left behind can be seen. */
class DemoMachine extends Machine {
  readonly tmp = join(this.dir, "tmp");

  constructor(files = {}) {
    super(files);
    mkdirSync(this.tmp);
  }

  override env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { ...super.env(more), TMPDIR: this.tmp };
  }

  left(): string[] {
    return readdirSync(this.tmp);
  }
}

/** What hooks and tools did, in the order in which it is told. */
function story(stdout: string): string[] {
  return stdout.split("\n").flatMap((line) => /^ *\d+\.\d\d s .*[│┃] ([✚✗✎↩] .*?)(?: {2}|$)/.exec(line)?.[1] ?? []);
}

test("the demo tells of five hooks at work, and leaves nothing behind", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  const { code, stdout, stderr } = await machine.cli(["demo"]);
  expect({ code, stderr, left: machine.left() }).toEqual({ code: 0, stderr: "", left: [] });
  expect(story(stdout)).toEqual([
    "✚ project-facts adds context",
    "✗ protect-production blocks",
    "✗ not run; the model is told why",
    "✎ dry-run-first rewrites the command",
    "✎ redact-keys rewrites the answer",
    "✗ run-the-tests blocks",
    "↩ the agent has to continue",
  ]);
  expect(stdout).toMatch(/┃ +node scripts\/deploy\.mjs\n *┃ +→ node scripts\/deploy\.mjs --dry-run\n/);
  expect(stdout).toMatch(/│ ✓ Dry run: /);
  expect(stdout).toContain("pay_live_••••••");
  expect(stdout).not.toContain(KEY);
  expect(stdout).toMatch(/│ +✔ an order at the limit ships for free/);
  expect(stdout).toContain("5 hooks ran 15 times");
  expect(stdout).not.toContain("\u001b");
  // How long the path of the program is, is not the demo's to decide.
  const lines = stdout.split("\n").filter((line) => !line.includes("alias hookline="));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("what a hook forbade did not happen, and what it let pass did", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  const { code, stdout } = await machine.cli(["demo", "--keep", "--json"]);
  const { project, response, toolCalls, hooks } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(machine.left().map((name) => join(machine.tmp, name))).toEqual([project]);
  const file = (path: string) => readFileSync(join(project, path), "utf8");
  expect(file("config/production.json")).toBe(readFileSync(new URL("config/production.json", EXAMPLE), "utf8"));
  expect(file("src/shipping.js")).toContain("FREE_FROM = 5000;");
  expect(readdirSync(project)).not.toContain("releases.txt");
  expect(response).toBe("All tests pass. Free shipping from 50 euros is ready for a person to release.");
  expect(toolCalls.map(({ name, status }: Record<string, unknown>) => `${name} ${status}`)).toEqual([
    "read_file success",
    "replace blocked",
    "read_file success",
    "replace success",
    "run_shell_command success",
    "run_shell_command success",
  ]);
  expect(hooks.every(({ ok }: Record<string, unknown>) => ok)).toBe(true);
  const sessions = join(statePath({ projectRoot: project, homeDir: machine.home }), "sessions");
  const [transcript = ""] = readdirSync(sessions);
  const written = readFileSync(join(sessions, transcript), "utf8");
  expect(written).toContain("Amounts are in cents.");
});

test("--keep says where the project is, and what works there", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  const { stdout } = await machine.cli(["demo", "--keep"]);
  const [folder = ""] = machine.left();
  expect(stdout).toContain(`\n  cd ${join(machine.tmp, folder)}\n`);
  const cwd = join("tmp", folder);
  const commands = [...stdout.matchAll(/^ {2}hookline ((?:list|explain) ?\S* ?\S*)/gm)].map(([, words = ""]) =>
    words.trim(),
  );
  expect(commands).toEqual(["list", "explain BeforeTool write_file"]);
  for (const command of commands) {
    const { code, stdout: told } = await machine.cli(command.split(" "), { cwd });
    expect({ code, told }).toEqual({ code: 0, told: expect.stringContaining("protect-production") });
  }
});

test("nobody's own hooks take part", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine({ [USER_FILE]: hooksOn("BeforeAgent", [{ name: "no", command: "exit 2" }]) });
  const { code, stdout } = await machine.cli(["demo", "--json"]);
  const names = JSON.parse(stdout).hooks.map(({ hook }: Record<string, unknown>) => hook);
  expect({ code, mine: names.includes("no"), left: machine.left() }).toEqual({ code: 0, mine: false, left: [] });
});

test("a copy of the example replays the session, and no event holds the key", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  cpSync(EXAMPLE, machine.project, { recursive: true });
  const options = ["--model", "replay:answers.jsonl", "--approval-mode", "yolo", "--trust-project"];
  const { code, stdout } = await machine.cli(["run", "-p", "go", ...options, "--output", "stream-json"]);
  expect({ code, shown: stdout.includes(KEY) }).toEqual({ code: 0, shown: false });
  const events = stdout.trimEnd().split("\n");
  expect(events.map((line) => JSON.parse(line)).filter(({ type }) => type === "rewritten")).toEqual([
    {
      type: "rewritten",
      event: "BeforeTool",
      hook: "dry-run-first",
      field: "tool_input.command",
      after: "node scripts/deploy.mjs --dry-run",
    },
    { type: "rewritten", event: "AfterModel", hook: "redact-keys", field: "llm_response" },
  ]);
});

test("on a terminal that shows colours, there are colours", { timeout: PATIENCE_MS }, async () => {
  const { stdout } = await new DemoMachine().cli(["demo"], { env: { FORCE_COLOR: "1" } });
  expect(stdout).toContain("\u001b[31m✗ \u001b[39m\u001b[1mprotect-production\u001b[22m blocks");
});

test("Ctrl-C ends the demo and removes the project", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  const child = machine.start(["demo"]);
  const ended = endOf(child);
  child.stdout?.once("data", () => child.kill("SIGINT"));
  const { code, stdout } = await ended;
  expect({ code, left: machine.left() }).toEqual({ code: 130, left: [] });
  expect(stdout).toContain("■ interrupted");
  expect(stdout).not.toContain("Try next");
});

test("a reader that has seen enough leaves nothing behind", { timeout: PATIENCE_MS }, async () => {
  const machine = new DemoMachine();
  const child = machine.start(["demo"]);
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdout?.once("data", () => child.stdout?.destroy());
  expect({ code: await ended, left: machine.left() }).toEqual({ code: 0, left: [] });
});

test("the example that ships is the one in examples/", () => {
  const shipped = new URL("../../bundle/demo/", import.meta.url);
  const files = (folder: URL) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.pathname.length), readFileSync(file, "utf8")])
      .sort();
  expect(files(shipped)).toEqual(files(EXAMPLE));
});
