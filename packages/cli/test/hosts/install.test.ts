import { chmodSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { z } from "zod";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { needNativeClient } from "./nativeClient.ts";
import { snapshot } from "./snapshot.ts";

needNativeClient();

const CLAUDE = "home/.claude/settings.json";
const COMMENTED = `{
  // what I work with
  "model": "opus", // the large one
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] } // mine
    ]
  }
}
`;
const AT_TERMINAL = { interactive: true, confirm: async () => true };

const said = (text: string) => expect.objectContaining({ code: 1, stderr: expect.stringContaining(text) });

test("install adds to what is there, a second install changes nothing, and uninstall leaves no trace", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  const before = snapshot(machine.home);
  const { code, stdout } = await machine.run(["install", "claude", "codex", "gemini"], AT_TERMINAL);
  expect([code, stdout]).toEqual([0, expect.stringContaining("✓ Claude Code ~/.claude/settings.json")]);
  const installed = snapshot(machine.home);
  for (const line of COMMENTED.trim().split("\n").slice(1, -3)) {
    expect(machine.read(CLAUDE)).toContain(line.replace(/ \/\/ mine$/, ""));
  }
  expect(Object.keys(installed).filter((path) => !(path in before))).toEqual([
    ".codex",
    ".codex/hooks.json",
    ".gemini",
    ".gemini/settings.json",
    ".hookline",
    ".hookline/bin",
    ".hookline/bin/hookline-hook",
    ".hookline/installed.json",
    ".hookline/run",
    ".hookline/run/daemon.start",
  ]);
  expect([".hookline", ".hookline/bin", ".hookline/run"].map((path) => installed[path])).toEqual(
    Array(3).fill("folder 700"),
  );

  const again = await machine.run(["install", "claude", "codex", "gemini"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("everything is in place already")]);
  expect(snapshot(machine.home)).toEqual(installed);

  const first = await machine.run(["uninstall", "codex", "gemini", "--yes"]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("still in claude")]);
  expect(machine.has("home/.hookline/bin/hookline-hook")).toBe(true);
  const last = await machine.run(["uninstall", "claude"], AT_TERMINAL);
  expect([last.code, last.stdout]).toEqual([0, expect.stringContaining("No agent calls hookline any more.")]);
  expect(snapshot(machine.home)).toEqual(before);
});

test("the daemon is started by absolute paths, which do not depend on the folder or PATH of an agent", async () => {
  const machine = new Machine();
  await machine.run(["install", "claude", "--yes"]);
  const words = machine.read("home/.hookline/run/daemon.start").split("\0");
  expect(words).toEqual([
    expect.stringMatching(/^\/.*node$/),
    expect.stringMatching(/^\/.*packages\/cli\/bin\/hookline\.js$/),
    ...["daemon", "run", "--home", machine.home],
    "",
  ]);
});

test.each<[string, string]>([
  ["empty", ""],
  ["a mark of its encoding", `\ufeff${COMMENTED}`],
  ["lines of Windows", COMMENTED.replaceAll("\n", "\r\n")],
  ["tabs", COMMENTED.replaceAll("  ", "\t")],
  ["one line", '{"model":"opus"}'],
])("a file that is or has %s is restored to the byte", async (_what, content) => {
  const machine = new Machine({ [CLAUDE]: content });
  chmodSync(join(machine.dir, CLAUDE), 0o640);
  const before = snapshot(machine.home);
  expect(await machine.run(["install", "claude", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(machine.read(CLAUDE).startsWith("\ufeff")).toBe(content.startsWith("\ufeff"));
  expect(parse(machine.read(CLAUDE).replace("\ufeff", "")).hooks.Stop).toHaveLength(1);
  const usual = content === "" ? ["\n"] : [];
  expect(new Set(machine.read(CLAUDE).match(/\r?\n/g))).toEqual(new Set(content.match(/\r?\n/g) ?? usual));
  expect(await machine.run(["uninstall", "claude", "--yes"])).toMatchObject({ code: 0 });
  expect(snapshot(machine.home)).toEqual(before);
});

test("of a file that was changed since, only our hooks are removed", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  await machine.run(["install", "claude", "--yes"]);
  const changed = machine
    .read(CLAUDE)
    .replace("opus", "haiku")
    .replace('"Stop": [', '"Stop": [ { "hooks": [] }, // new');
  machine.write({ [CLAUDE]: changed });
  expect(await machine.run(["uninstall", "claude", "--yes"])).toMatchObject({ code: 0 });
  const left = machine.read(CLAUDE);
  expect(parse(left)).toEqual({
    ...parse(COMMENTED.replace("opus", "haiku")),
    hooks: { ...parse(COMMENTED).hooks, Stop: [{ hooks: [] }] },
  });
  expect(left).toContain("// the large one");
  expect(left).toContain("// new");
  expect(machine.has("home/.hookline")).toBe(false);
});

test("a file that was made for hookline stays if others use it now", async () => {
  const machine = new Machine();
  await machine.run(["install", "gemini", "--yes"]);
  const written = parse(machine.read("home/.gemini/settings.json"));
  machine.write({ "home/.gemini/settings.json": { ...written, theme: "dark" } });
  await machine.run(["uninstall", "gemini", "--yes"]);
  expect(parse(machine.read("home/.gemini/settings.json"))).toEqual({ theme: "dark" });
});

test("a link among dotfiles stays a link, and its target is changed and restored", async () => {
  const machine = new Machine({ "home/dotfiles/claude.json": COMMENTED });
  mkdirSync(join(machine.home, ".claude"));
  symlinkSync("../dotfiles/claude.json", join(machine.home, ".claude/settings.json"));
  const before = snapshot(machine.home);
  const { stdout } = await machine.run(["install", "claude", "--yes"]);
  expect(stdout).toContain("~/.claude/settings.json → ~/dotfiles/claude.json");
  expect(readlinkSync(join(machine.home, ".claude/settings.json"))).toBe("../dotfiles/claude.json");
  expect(parse(machine.read("home/dotfiles/claude.json")).hooks.Stop).toHaveLength(1);
  await machine.run(["uninstall", "claude", "--yes"]);
  expect(snapshot(machine.home)).toEqual(before);
});

const settings = (machine: Machine) => join(machine.dir, CLAUDE);

test.each<[string, (machine: Machine) => void, string]>([
  [
    "is malformed",
    (machine) => machine.write({ [CLAUDE]: '{\n  "hooks": {\n  "a"\n}' }),
    "settings.json:4:1: The file cannot be changed because it is not JSON",
  ],
  ["is not UTF-8", (machine) => writeFileSync(settings(machine), Buffer.from([0x7b, 0xff, 0x7d])), "it is not UTF-8"],
  ["has a list of hooks", (machine) => machine.write({ [CLAUDE]: '{ "hooks": [] }' }), "settings.json:1:12: "],
  ["is read-only", (machine) => chmodSync(settings(machine), 0o444), "it is read-only"],
  [
    "is a link to nowhere",
    (machine) => {
      rmSync(settings(machine));
      symlinkSync("/nowhere/settings.json", settings(machine));
    },
    "it is a link to a file that is not there",
  ],
  [
    "is a folder",
    (machine) => {
      rmSync(settings(machine));
      mkdirSync(settings(machine));
    },
    "it is not a regular file",
  ],
])("a file that %s is refused, and nothing is written", async (_what, spoil, text) => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  spoil(machine);
  const before = snapshot(machine.home);
  expect(await machine.run(["install", "codex", "claude", "--yes"])).toEqual(said(text));
  expect(snapshot(machine.home)).toEqual(before);
});

test("what a read-only file needs is shown, for the person who can write it", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  chmodSync(settings(machine), 0o444);
  const { code, stdout } = await machine.run(["install", "claude", "--dry-run"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("+++ ~/.claude/settings.json")]);
});

test("a Codex file with comments is refused, since Codex would ignore all of it", async () => {
  const machine = new Machine({ "home/.codex/hooks.json": '{\n  // mine\n  "hooks": {}\n}\n' });
  expect(await machine.run(["install", "codex", "--yes"])).toEqual(said("this file has comments"));
});

test("a Codex file with an unknown key is refused, since Codex would ignore all of it", async () => {
  const machine = new Machine({ "home/.codex/hooks.json": { $schema: "https://example.com/hooks.json", hooks: {} } });
  expect(await machine.run(["install", "codex", "--yes"])).toEqual(
    said('Codex takes only the keys description and hooks here, and this file has "$schema"'),
  );
});

test("a project's file is changed in the project, and a link out of it is not followed", async () => {
  const machine = new Machine({ "home/.bashrc": "" });
  expect(await machine.run(["install", "claude", "--project", "--yes"])).toMatchObject({ code: 0 });
  expect(parse(machine.read("project/.claude/settings.local.json")).hooks.Stop).toHaveLength(1);
  mkdirSync(join(machine.project, ".gemini"));
  symlinkSync("../../home/.bashrc", join(machine.project, ".gemini/settings.json"));
  expect(await machine.run(["install", "gemini", "--project", "--yes"])).toEqual(
    said("it is a link out of the project"),
  );
  expect(machine.read("home/.bashrc")).toBe("");
  expect(await machine.run(["uninstall", "claude", "--yes"])).toMatchObject({ code: 0 });
  expect(machine.has("project/.claude")).toBe(false);
});

test("managed settings are those of the machine, readable to everybody", async () => {
  const machine = new Machine();
  const world = { rootDir: join(machine.dir, "root") };
  mkdirSync(world.rootDir);
  expect(await machine.run(["install", "claude", "--managed", "--yes", "--trust-project"], world)).toMatchObject({
    code: 0,
  });
  const [file = ""] = Object.entries(snapshot(world.rootDir)).flatMap(([path, kind]) =>
    kind.startsWith("file 644") ? [path] : [],
  );
  expect(machine.read(`root/${file}`)).toContain('"--trust-project"');
  expect(await machine.run(["uninstall", "claude", "--yes"], world)).toMatchObject({ code: 0 });
  expect(snapshot(world.rootDir)).toEqual({});
});

test("--trust-project is not for a project, and is recorded where no terminal is", async () => {
  const machine = new Machine();
  const args = ["install", "claude", "--yes", "--trust-project"];
  expect(await machine.run([...args, "--project"])).toEqual(said("a project must not vouch for itself"));
  expect(await machine.run(args, { hasTerminal: () => false })).toMatchObject({ code: 0 });
  expect(machine.read("home/.hookline/unattended.jsonl")).toContain("hookline install claude --trust-project");
});

test("the question comes with a line for each hook, --yes with their number, and --dry-run with every line", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  const screen = { columns: 60, interactive: true, confirm: async () => false };
  const asked = await machine.run(["install", "claude"], screen);
  expect(asked.stdout).toMatch(/^ {2}\+ PreToolUse +waits 60 min, blocks on failure$/m);
  expect(asked.stdout).toContain("each starts ~/.hookline/bin/hookline-hook; the rest of the\n  file stays as it is");
  expect(asked.stdout).toContain("`hookline install claude --dry-run` shows each line.");
  const dry = await machine.run(["install", "claude", "--dry-run"], { columns: 60 });
  expect(dry.stdout).toContain("+++ ~/.claude/settings.json");
  for (const { stdout } of [asked, dry]) {
    const broken = stdout.split("\n").filter((line) => line.length > 60 && line.slice(1).trim().includes(" "));
    expect(broken).toEqual([]);
  }
  const done = await machine.run(["install", "claude", "--yes"]);
  expect(done.stdout).toContain("  10 hooks added; the rest of the file stays as it is\n");
  expect(done.stdout).not.toContain("PreToolUse");
  const removed = await machine.run(["uninstall", "claude", "--yes"]);
  expect(removed.stdout).toContain("  10 hooks removed; the rest of the file stays as it is\n");
});

test("a person who says no, or who is not there, changes nothing", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  const before = snapshot(machine.home);
  const declined = await machine.run(["install", "claude"], { interactive: true, confirm: async () => false });
  expect([declined.code, declined.stdout]).toEqual([1, expect.stringContaining("Nothing was written.")]);
  expect(await machine.run(["install", "claude"])).toEqual(said("add --yes"));
  const dry = await machine.run(["install", "claude", "--dry-run"]);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("+++ ~/.claude/settings.json")]);
  expect(snapshot(machine.home)).toEqual(before);
});

test("what was shown is what is written: a file that changes while a person reads is not overwritten", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  const confirm = async () => {
    machine.write({ [CLAUDE]: "{}" });
    return true;
  };
  const ended = await machine.run(["install", "claude"], { interactive: true, confirm });
  expect(ended).toEqual(said("another program changed it after it was shown"));
  expect(machine.read(CLAUDE)).toBe("{}");
});

test.each([
  [["/usr/bin/node", "/opt/hookline/bin/hookline.js", "chat"]],
  [["/home/kim/.local/bin/claude"]],
  [["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"]],
])("below the agent %j nothing is installed or removed", async (argv) => {
  const machine = new Machine();
  const below = { ancestors: () => [{ pid: 1, parent: 0, startedAt: "1", argv }] };
  const inSession = said("was started in an agent's session");
  expect(await machine.run(["install", "claude", "--yes"], below)).toEqual(inSession);
  await machine.run(["install", "claude", "--yes"]);
  expect(await machine.run(["uninstall", "claude", "--yes"], below)).toEqual(inSession);
  expect(machine.has(CLAUDE)).toBe(true);
});

test("to remove guards takes a terminal, or the setting that allows decisions without one", async () => {
  const machine = new Machine();
  await machine.run(["install", "claude", "--yes"]);
  const away = { hasTerminal: () => false };
  expect(await machine.run(["uninstall", "claude", "--yes"], away)).toEqual(said("there is no terminal"));
  expect(machine.has(CLAUDE)).toBe(true);
  machine.write({ [USER_FILE]: { approvals: { withoutTerminal: true } } });
  expect(await machine.run(["uninstall", "claude", "--yes"], away)).toMatchObject({ code: 0 });
  expect(machine.has(CLAUDE)).toBe(false);
});

test("what an agent cannot do for the hooks is said, and where a block ends the turn a person must agree", async () => {
  const machine = new Machine({ [USER_FILE]: hooksOn("AfterModel", [{ name: "no-swearing", command: "true" }]) });
  const claude = await machine.run(["install", "claude", "--yes"]);
  expect([claude.code, claude.stdout]).toEqual([
    0,
    expect.stringContaining("! Claude Code: AfterModel (no-swearing): this agent never fires it"),
  ]);
  const open = await machine.run(["install", "gemini", "--yes"]);
  expect(open).toEqual(said("Gemini CLI: AfterModel (no-swearing): block becomes stop"));
  expect(open.stderr).toContain("`hookline install gemini --accept-degraded`");
  expect(machine.has("home/.gemini")).toBe(false);
  expect(await machine.run(["install", "gemini", "--yes", "--accept-degraded"])).toMatchObject({ code: 0 });
});

test("an outcome that becomes another one is named with the hooks that may want it", async () => {
  const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "ask-first", command: "true" }]) });
  const { stdout } = await machine.run(["install", "codex", "--dry-run"]);
  expect(stdout).toContain(
    "! Codex: BeforeTool (ask-first): this agent lets no hook ask, so hookline asks you (`hookline asks`); ",
  );
  expect(stdout).not.toContain("message becomes");
});

test("an objection that an agent only says to the model is named, although another of its events honours it", async () => {
  const machine = new Machine({ [PROJECT_FILE]: hooksOn("AfterTool", [{ name: "no-secrets", command: "true" }]) });
  const { stdout } = await machine.run(["install", "claude", "--dry-run"]);
  expect(stdout).toContain("! Claude Code: AfterTool (no-secrets): block becomes context: if the tool failed, ");
});

test("a switch that turns hooks off in the host's own file is named", async () => {
  const machine = new Machine({ [CLAUDE]: { disableAllHooks: true } });
  const { stdout } = await machine.run(["install", "claude", "--dry-run"]);
  expect(stdout).toContain(
    "settings.json has disableAllHooks: true, so Claude Code does not run the hooks of hookline.",
  );
});

test("a record of installations that cannot be read stops both commands, and says what then is possible", async () => {
  const machine = new Machine({ [CLAUDE]: COMMENTED });
  await machine.run(["install", "claude", "--yes"]);
  machine.write({ "home/.hookline/installed.json": "{" });
  expect(await machine.run(["uninstall", "claude", "--yes"])).toEqual(
    said("The record of installations cannot be read."),
  );
  rmSync(join(machine.home, ".hookline/installed.json"));
  expect(await machine.run(["uninstall", "claude", "--yes"])).toMatchObject({ code: 0 });
  expect(parse(machine.read(CLAUDE))).toEqual(parse(COMMENTED));
});

test("a client that another program replaced is put back", async () => {
  const machine = new Machine();
  await machine.run(["install", "claude", "--yes"]);
  const client = join(machine.home, ".hookline/bin/hookline-hook");
  writeFileSync(client, "#!/bin/sh\n");
  chmodSync(client, 0o777);
  const { stdout } = await machine.run(["install", "claude", "--yes"]);
  expect(stdout).toContain("✓ Claude Code");
  expect([statSync(client).mode & 0o777, statSync(client).size > 10_000]).toEqual([0o700, true]);
});

const changes = z.object({
  written: z.boolean(),
  hosts: z.array(
    z.object({ host: z.string(), changes: z.boolean(), diff: z.string(), version: z.string().nullable() }),
  ),
});

test("--json prints what would change and what was written", async () => {
  const machine = new Machine();
  const read = async (...args: string[]) => changes.parse(JSON.parse((await machine.run([...args, "--json"])).stdout));
  const dry = await read("install", "claude", "--dry-run");
  expect(dry).toMatchObject({ written: false, hosts: [{ host: "claude", changes: true, version: null }] });
  expect(dry.hosts[0]?.diff).toContain("+++ ");
  expect(await read("install", "claude", "--yes")).toMatchObject({ written: true });
  expect(await read("install", "claude", "--yes")).toMatchObject({
    written: false,
    hosts: [{ changes: false, diff: "" }],
  });
});

test.each([
  [["install", "clade"], 'hookline cannot be installed into "clade". Did you mean "claude"?'],
  [["install"], "Missing required argument 'host'"],
  [["install", "claude", "--user", "--project"], "Only one of --user, --project can be given."],
  [["install", "codex", "--managed"], "requirements.toml"],
  [["hosts", "gemni"], 'hookline does not know the agent "gemni". Did you mean "gemini"?'],
])("the mistake %j is explained", async (args, text) => {
  expect(await new Machine().run(args)).toEqual(said(text));
});

test("to remove what is not installed is fine, and says so", async () => {
  const { code, stdout } = await new Machine().run(["uninstall", "claude", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("hookline is not installed in Claude Code.")]);
});
