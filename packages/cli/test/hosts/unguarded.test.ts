import { chmodSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { needNativeClient } from "./nativeClient.ts";

needNativeClient();

const CLAUDE = "home/.claude/settings.json";
const CODEX = "home/.codex/hooks.json";
const GEMINI = "home/.gemini/settings.json";
const INNER_HOOKS = ["hooks", "PreToolUse", 0, "hooks"];

async function installed(...words: string[]): Promise<Machine> {
  const machine = new Machine();
  expect(await machine.run(["install", ...words, "--yes"])).toMatchObject({ code: 0 });
  return machine;
}

/** Changes a value as an editor of the host would: everything else stays. */
function change(machine: Machine, file: string, path: readonly (string | number)[], value: unknown): void {
  const text = machine.has(file) ? machine.read(file) : "{}";
  machine.write({ [file]: applyEdits(text, modify(text, [...path], value, {})) });
}

const report = z.object({ hosts: z.array(z.object({ name: z.string(), state: z.string() })) });

async function stateOf(machine: Machine, name: string): Promise<string | undefined> {
  const { hosts } = report.parse(JSON.parse((await machine.run(["status", "--json"])).stdout));
  return hosts.find((host) => host.name === name)?.state;
}

interface Trap {
  readonly host: string;
  readonly spoil: (machine: Machine) => void;
  readonly state: "partly guarded" | "not guarded";
  readonly says: string;
  readonly next: string;
}

const TRAPS: readonly (readonly [string, Trap])[] = [
  [
    "one event lost its hook",
    {
      host: "claude",
      spoil: (machine) => change(machine, CLAUDE, ["hooks", "PreToolUse"], undefined),
      state: "partly guarded",
      says: "The hook of hookline is missing for PreToolUse.",
      next: "Run `hookline install claude`.",
    },
  ],
  [
    "a hook no longer blocks on failure",
    {
      host: "claude",
      spoil: (machine) => change(machine, CLAUDE, [...INNER_HOOKS, 0, "onFailure"], undefined),
      state: "partly guarded",
      says: "The hook of hookline is not as `install` writes it for PreToolUse.",
      next: "Run `hookline install claude`.",
    },
  ],
  [
    "a hook got a matcher",
    {
      host: "codex",
      spoil: (machine) => change(machine, CODEX, ["hooks", "PreToolUse", 0, "matcher"], "Bash"),
      state: "partly guarded",
      says: "The hook of hookline is not as `install` writes it for PreToolUse.",
      next: "Run `hookline install codex`.",
    },
  ],
  [
    "the user's file turns all hooks off",
    {
      host: "claude",
      spoil: (machine) => change(machine, CLAUDE, ["disableAllHooks"], true),
      state: "not guarded",
      says: "settings.json has disableAllHooks: true, so Claude Code does not run the hooks of hookline.",
      next: "Remove that from the file.",
    },
  ],
  [
    "the project's shared file turns all hooks off",
    {
      host: "claude",
      spoil: (machine) => change(machine, "project/.claude/settings.json", ["disableAllHooks"], true),
      state: "not guarded",
      says: "project/.claude/settings.json has disableAllHooks: true",
      next: "Remove that from the file.",
    },
  ],
  [
    "the project turns the hooks of Gemini CLI off",
    {
      host: "gemini",
      spoil: (machine) => change(machine, "project/.gemini/settings.json", ["hooksConfig", "enabled"], false),
      state: "not guarded",
      says: "has hooksConfig.enabled: false, so Gemini CLI does not run the hooks of hookline.",
      next: "Remove that from the file.",
    },
  ],
  [
    "Gemini CLI was told to disable our hook by its name",
    {
      host: "gemini",
      spoil: (machine) => change(machine, GEMINI, ["hooksConfig", "disabled"], ["other", "hookline"]),
      state: "not guarded",
      says: 'has "hookline" in hooksConfig.disabled, so Gemini CLI does not run the hooks of hookline.',
      next: "Remove that from the file.",
    },
  ],
  [
    "Codex refuses a file with an unknown key",
    {
      host: "codex",
      spoil: (machine) => change(machine, CODEX, ["$schema"], "https://example.com/hooks.json"),
      state: "not guarded",
      says: 'Codex takes only the keys description and hooks here, and this file has "$schema"',
      next: "Remove that from the file.",
    },
  ],
  [
    "Codex refuses a file with a comment",
    {
      host: "codex",
      spoil: (machine) => machine.write({ [CODEX]: `// mine\n${machine.read(CODEX)}` }),
      state: "not guarded",
      says: "Codex reads plain JSON here, and this file has comments",
      next: "Remove that from the file.",
    },
  ],
  [
    "the file is no longer JSON",
    {
      host: "claude",
      spoil: (machine) => machine.write({ [CLAUDE]: `${machine.read(CLAUDE)},` }),
      state: "not guarded",
      says: "Claude Code cannot read this file",
      next: "Fix it, then run `hookline install claude`.",
    },
  ],
];

test.each(TRAPS)("status and doctor do not say guarded where %s", async (_what, trap) => {
  const machine = await installed(trap.host);
  expect(await stateOf(machine, trap.host)).toBe("guarded");
  trap.spoil(machine);
  expect(await stateOf(machine, trap.host)).toBe(trap.state);
  for (const command of ["status", "doctor"]) {
    const { stdout } = await machine.run([command]);
    expect(stdout).toContain(trap.says);
    expect(stdout).toContain(trap.next);
    expect(stdout).not.toMatch(/· guarded|✓ .*is guarded/);
  }
  if (trap.next.startsWith("Run ")) {
    expect(await machine.run(["install", trap.host, "--yes"])).toMatchObject({ code: 0 });
    expect(await stateOf(machine, trap.host)).toBe("guarded");
  }
});

test("init and hosts do not say guarded either", async () => {
  const machine = new Machine({ [CLAUDE]: { disableAllHooks: true }, [USER_FILE]: "{ broken" });
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const { code, stdout } = await machine.run(["init", "--yes"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ Claude Code: not guarded\. .* has disableAllHooks: true/);
  expect(stdout).toContain("Until this is fixed, guarded tool calls are blocked: hookline validate");
  expect((await machine.run(["hosts", "claude"])).stdout).toContain("(not guarded as installed: hookline status)");
});

test("the command that mends an installation repeats its level and --trust-project", async () => {
  const machine = new Machine();
  const world = { rootDir: join(machine.dir, "root") };
  await machine.run(["install", "claude", "--managed", "--trust-project", "--yes"], world);
  const [{ installed: places } = { installed: [] }] = z
    .object({ hosts: z.array(z.object({ installed: z.array(z.object({ path: z.string() })) })) })
    .parse(JSON.parse((await machine.run(["status", "--json"], world)).stdout)).hosts;
  const file = places[0]?.path.slice(machine.dir.length + 1) ?? "";
  expect((await machine.run(["status"], world)).stdout).toContain("● Claude Code · guarded");
  change(machine, file, ["hooks", "PreToolUse"], undefined);
  const { stdout } = await machine.run(["status"], world);
  expect(stdout).toContain("Run `hookline install claude --managed --trust-project`.");
});

test("managed hooks are turned off by managed settings only, and those can turn off all others", async () => {
  const machine = new Machine();
  const world = { rootDir: join(machine.dir, "root") };
  await machine.run(["install", "claude", "--managed", "--yes"], world);
  change(machine, CLAUDE, ["disableAllHooks"], true);
  expect((await machine.run(["status"], world)).stdout).toContain("● Claude Code · guarded");

  const other = await installed("claude");
  const managed = { rootDir: join(other.dir, "root") };
  const path = process.platform === "darwin" ? "Library/Application Support/ClaudeCode" : "etc/claude-code";
  other.write({ [`root/${path}/managed-settings.json`]: { allowManagedHooksOnly: true } });
  const { stdout } = await other.run(["status"], managed);
  expect(stdout).toContain("● Claude Code · not guarded");
  expect(stdout).toContain("has allowManagedHooksOnly: true");
});

test("a file of a project or plugin that nests too deeply keeps no command from its work", async () => {
  const machine = new Machine();
  const deep = "[".repeat(1_000_000);
  machine.write({
    "project/.claude/settings.json": deep,
    "home/.claude/plugins/deep/hooks/hooks.json": deep,
    "home/.claude/plugins/installed_plugins.json": deep,
  });
  expect(await machine.run(["install", "claude", "--yes"])).toMatchObject({ code: 0 });
  expect(await stateOf(machine, "claude")).toBe("guarded");
  machine.write({ [CLAUDE]: `{ "hookline-hook": ${deep}` });
  expect(await stateOf(machine, "claude")).toBe("not guarded");
});

test("plugins with a mod are named, wherever they are installed; others are not", async () => {
  const machine = await installed("claude");
  const plugins = "home/.claude/plugins";
  const mod = { modules: ["./register.js"] };
  machine.write({
    [`${plugins}/cache/market/lenient/1.0.0/hooks/hooks.json`]: mod,
    [`${plugins}/cache/market/plain/1.0.0/hooks/hooks.json`]: { hooks: {}, modules: [] },
    [`${plugins}/marketplaces/market/plugins/offered/hooks/hooks.json`]: mod,
    "elsewhere/hooks/hooks.json": mod,
    [`${plugins}/installed_plugins.json`]: { plugins: { x: [{ installPath: join(machine.dir, "elsewhere") }] } },
  });
  const { stdout: status } = await machine.run(["status"]);
  expect(status).toContain("! a mod that may override answers: ~/.claude/plugins/cache/market/lenient/1.0.0");
  expect(status).toContain(`! a mod that may override answers: ${join(machine.dir, "elsewhere")}`);
  expect(status).not.toMatch(/plain|offered/);
  const { stdout: doctor } = await machine.run(["doctor"]);
  expect(doctor).toContain("lenient/1.0.0: This plugin runs code in Claude Code (a mod)");
  expect(doctor).toContain("`hookline install claude --managed`");
});

test("doctor knows a Claude Code that ignores `onFailure`, and a client that cannot be executed", async () => {
  const machine = await installed("claude");
  machine.write({ "bin/claude.sh": "#!/bin/sh\necho 2.1.200\n" });
  const name = join(machine.dir, "bin/claude");
  machine.write({ "bin/claude": machine.read("bin/claude.sh") });
  chmodSync(name, 0o755);
  chmodSync(join(machine.home, ".hookline/bin/hookline-hook"), 0o600);
  const { stdout } = await machine.run(["doctor"], { env: { PATH: `${join(machine.dir, "bin")}:/usr/bin:/bin` } });
  expect(stdout).toContain("Before 2.1.295, Claude Code runs a tool if the client is killed or missing.");
  expect(stdout).toContain("The client that agents call is gone, or cannot be executed.");
});

test.each([
  ["codex", "type /hooks and trust the hooks of hookline"],
  ["claude", "If it still does not call, run `hookline init`"],
])("what to do if %s never calls is about that agent", async (host, text) => {
  expect((await (await installed(host)).run(["doctor"])).stdout).toContain(text);
});

test("status says that hooks of the project are not trusted, and so do not run", async () => {
  const machine = await installed("claude");
  machine.write({ [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "theirs", command: "true" }]) });
  const untrusted = "1 hook of this project is not trusted and does not run: hookline trust";
  expect((await machine.run(["status"])).stdout).toContain(untrusted);
  await machine.run(["trust", "--yes"]);
  expect((await machine.run(["status"])).stdout).not.toMatch(/not trusted|No hook/);
});

test("where agents were told to trust every project, status does not say that its hooks do not run", async () => {
  const machine = await installed("claude", "--trust-project");
  machine.write({ [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "theirs", command: "true" }]) });
  expect((await machine.run(["status"])).stdout).not.toMatch(/not trusted|No hook/);
});

test("status says that guarded calls are blocked while settings cannot be read", async () => {
  const machine = await installed("claude");
  machine.write({ [USER_FILE]: "{ broken" });
  const { stdout } = await machine.run(["status"]);
  expect(stdout).toContain("● Claude Code · blocked");
  expect(stdout).toContain("✗ ~/.hookline/settings.json");
  expect(stdout).toContain("Until this is fixed, guarded tool calls are blocked: hookline validate");
  change(machine, CLAUDE, ["hooks", "PreToolUse"], undefined);
  expect((await machine.run(["status"])).stdout).toContain("● Claude Code · partly guarded");
});

test("on a narrow terminal the lines of status break between words", async () => {
  const machine = await installed("claude", "codex", "gemini");
  const { stdout } = await machine.run(["status"], { columns: 60 });
  const lines = stdout.split("\n");
  expect(lines.filter((line) => line.length > 60 && line.trim().includes(" "))).toEqual([]);
});
