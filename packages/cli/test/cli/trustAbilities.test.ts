import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";

const ABILITY = [
  "id: deploy",
  "summary: Deploys it.",
  "operation_keys: [ship.it, ship]",
  "environments: [staging]",
  "writes: ['dist/**']",
  "implementation:",
  "  kind: script",
  "  command: ./deploy.sh other.sh",
  "  env: { MODE: hard }",
  "  pass_env: [DEPLOY_TOKEN]",
].join("\n");
const FILES = {
  "project/deploy.sh": "#!/bin/sh\ntouch started\n",
  "project/other.sh": "",
  "project/.system/abilities/deploy.yaml": ABILITY,
};

test("trust shows what an ability would start, stores a yes, and asks again when it changes", async () => {
  const machine = new Machine(FILES);
  const first = await machine.run(["trust"]);
  expect([first.code, first.stderr]).toEqual([1, expect.stringContaining("1 ability of this project is not trusted")]);
  const lines = first.stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  expect(lines).toEqual([
    machine.project,
    "new ability deploy .system/abilities/deploy.yaml:1",
    `command ${machine.project}/deploy.sh other.sh`,
    "summary Deploys it.",
    "also called ship.it, ship",
    "only in staging",
    "writes dist/**",
    "env MODE=hard",
    "passEnv it receives DEPLOY_TOKEN",
    expect.stringMatching(/^covers deploy\.sh sha256 [0-9a-f]{12}$/),
    expect.stringMatching(/^covers other\.sh sha256 [0-9a-f]{12}$/),
    "",
    expect.stringMatching(/^fingerprint [0-9a-f]{64}$/),
    "",
  ]);
  const state = async () => JSON.parse((await machine.run(["trust", "--json"])).stdout).abilities[0].state;
  expect(await state()).toBe("new");
  expect((await machine.run(["trust", "--yes"])).stdout).toContain("✓ 1 ability trusted");
  expect(await state()).toBe("trusted");
  expect((await machine.run(["trust", "--list"])).stdout).toContain("  ability deploy since ");
  writeFileSync(join(machine.project, "deploy.sh"), "echo other code\n");
  expect(await state()).toBe("changed");
  expect(machine.has("project/started")).toBe(false);
});

test("a person is asked about hooks, servers and abilities in one question", async () => {
  const machine = new Machine({
    ...FILES,
    [PROJECT_FILE]: {
      ...hooksOn("BeforeTool", [{ name: "check", command: "true" }]),
      mcpServers: { kit: { command: process.execPath } },
    },
  });
  const questions: string[] = [];
  const { code, stdout } = await machine.run(["trust"], {
    interactive: true,
    confirm: async (question) => questions.push(question) > 0,
  });
  expect(questions).toEqual([
    `May 1 hook, 1 MCP server and 1 ability of ${machine.project} start this code, now and in later sessions?`,
  ]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 1 hook, 1 MCP server and 1 ability trusted")]);
});

test("an ability and a server of one name are two things, and trust in one is none in the other", async () => {
  const machine = new Machine({ ...FILES, [PROJECT_FILE]: { mcpServers: { deploy: { command: process.execPath } } } });
  await machine.run(["trust", "--yes"]);
  machine.write({ [PROJECT_FILE]: {} });
  const { stdout } = await machine.run(["trust"]);
  expect(stdout).toContain("gone MCP server deploy: trusted earlier, no longer declared");
  expect(stdout).toContain("trusted ability deploy");
});

test("a command that starts no abilities asks for no trust in them", async () => {
  const machine = new Machine(FILES);
  expect((await machine.run(["fire", "BeforeTool"])).code).toBe(0);
});
