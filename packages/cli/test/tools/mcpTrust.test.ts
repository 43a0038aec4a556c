import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const KIT = {
  command: "node",
  args: ["server.mjs"],
  env: { MODE: "hard" },
  passEnv: ["KIT_TOKEN"],
  excludeTools: ["rm"],
};
const FILES = {
  // A server that leaves a trace when it is started: nothing here may start it.
  "project/server.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("started", "");\n',
  [PROJECT_FILE]: { mcpServers: { kit: KIT, docs: { command: "node" }, bad: { command: "./gone.sh" } } },
  [USER_FILE]: { mcpServers: { docs: { url: "https://docs.example/mcp" } } },
};

const columns = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/));

test("list shows every server, where it comes from, and why some are not started; nothing is started", async () => {
  const machine = new Machine(FILES);
  const { code, stdout } = await machine.cli(["list"]);
  expect(code).toBe(0);
  expect(columns(stdout)).toEqual([
    ["No hooks are declared here."],
    [""],
    ["mcp_server", "type", "enabled", "starts", "source"],
    ["kit", "stdio", "untrusted", expect.stringMatching(/^node .*/), ".hookline/settings.json:3"],
    ["docs", "stdio", "false", "node", ".hookline/settings.json:18"],
    ["", `off: "docs" is also declared at ${machine.home}/.hookline/settings.json:3:5 (user), which takes precedence`],
    ["bad", "stdio", "broken", "-", ".hookline/settings.json:21"],
    ["", expect.stringContaining('off: "./gone.sh" was not found')],
    ["docs", "http", "true", "https://docs.example/mcp", "~/.hookline/settings.json:3"],
    [""],
    ["1 MCP server not trusted: run `hookline trust`"],
    ["1 error, 1 warning: run `hookline validate`"],
    [""],
  ]);
  expect(machine.has("project/started")).toBe(false);
});

test("list --json tells the same to programs", async () => {
  const { servers } = JSON.parse((await new Machine(FILES).cli(["list", "--json"])).stdout);
  expect(servers).toMatchObject([
    { name: "kit", state: "untrusted", enabled: false, layer: "project", command: "node", excludeTools: ["rm"] },
    { name: "docs", state: "off", layer: "project" },
    { name: "bad", state: "broken", reason: expect.stringContaining("was not found") },
    { name: "docs", state: "on", enabled: true, reason: null, layer: "user", url: "https://docs.example/mcp" },
  ]);
});

test("trust shows what a server would start, stores a yes, and asks again when it changes", async () => {
  const machine = new Machine(FILES);
  const first = await machine.cli(["trust"]);
  expect([first.code, first.stderr]).toEqual([
    1,
    expect.stringContaining("1 MCP server of this project is not trusted"),
  ]);
  const lines = first.stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  expect(lines).toEqual([
    machine.project,
    "new MCP server kit .hookline/settings.json:3",
    "command node",
    `args ["${machine.project}/server.mjs"]`,
    "not tools rm",
    "env MODE=hard",
    "passEnv it receives KIT_TOKEN",
    expect.stringMatching(/^covers server\.mjs sha256 [0-9a-f]{12}$/),
    "",
    expect.stringMatching(/^fingerprint [0-9a-f]{64}$/),
    "",
  ]);
  const state = async () => JSON.parse((await machine.cli(["trust", "--json"])).stdout).servers[0].state;
  expect(await state()).toBe("new");
  expect((await machine.run(["trust", "--yes"])).stdout).toContain("✓ 1 MCP server trusted");
  expect(await state()).toBe("trusted");
  expect((await machine.cli(["trust", "--list"])).stdout).toContain("  MCP server kit since ");
  writeFileSync(join(machine.project, "server.mjs"), "// other code\n");
  expect(await state()).toBe("changed");
  expect(machine.has("project/started")).toBe(false);
});

test("a person is asked about hooks and servers in one question", async () => {
  const machine = new Machine({
    "project/server.mjs": "",
    [PROJECT_FILE]: { ...hooksOn("BeforeTool", [{ name: "check", command: "true" }]), mcpServers: { kit: KIT } },
  });
  const questions: string[] = [];
  const { code, stdout } = await machine.run(["trust"], {
    interactive: true,
    confirm: async (question) => questions.push(question) > 0,
  });
  expect(questions).toEqual([
    `May 1 hook and 1 MCP server of ${machine.project} start this code, now and in later sessions?`,
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 1 hook and 1 MCP server trusted")]);
});

test("a command that starts servers refuses while one of the project is not trusted; one that starts none goes on", async () => {
  const machine = new Machine({ ...FILES, "project/answers.jsonl": "" });
  const { code, stderr } = await machine.cli(["run", "--model", "replay:answers.jsonl", "--prompt", "hello"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("kit (MCP server) at ")]);
  expect((await machine.cli(["fire", "BeforeTool"])).code).toBe(0);
  expect(machine.has("project/started")).toBe(false);
});

test("validate checks servers with their places, and counts them", async () => {
  const machine = new Machine(FILES);
  const { code, stdout } = await machine.cli(["validate"]);
  expect(code).toBe(1);
  expect(stdout).toContain('.hookline/settings.json:22:18 error "./gone.sh" was not found');
  expect(stdout).toContain("1 error, 1 warning (0 hooks, 4 MCP servers in 2 files)");
  const { problems, servers } = JSON.parse((await machine.cli(["validate", "--json"])).stdout);
  expect(problems).toMatchObject([{ code: "MCP_SERVER_INVALID" }, { code: "CONFIG_DOUBTFUL" }]);
  expect(servers).toBe(4);
});
