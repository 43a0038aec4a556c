import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { DIALECTS } from "../../../engine/src/dialects/dialects.ts";
import { Machine } from "../support/machine.ts";
import { needNativeClient } from "./nativeClient.ts";

needNativeClient();

/** Agents as they are installed: a script that prints its version, a package with a link, a program below its version. */
function withAgents(): Machine {
  const machine = new Machine({
    "bin/codex.sh": "#!/bin/sh\necho codex-cli 0.166.3\n",
    "lib/@google/gemini-cli/package.json": { name: "@google/gemini-cli", version: "0.99.1" },
    "lib/@google/gemini-cli/bundle/gemini.sh": "#!/bin/sh\nexit 1\n",
    "share/versions/2.1.325": "",
    "project/node_modules/.bin/claude": "#!/bin/sh\necho 9.9.9\n",
  });
  chmodSync(join(machine.dir, "share/versions/2.1.325"), 0o755);
  chmodSync(join(machine.project, "node_modules/.bin/claude"), 0o755);
  for (const [name, to] of [
    ["codex", "codex.sh"],
    ["gemini", "../lib/@google/gemini-cli/bundle/gemini.sh"],
    ["claude", "../share/versions/2.1.325"],
  ]) {
    symlinkSync(to ?? "", join(machine.dir, "bin", name ?? ""));
  }
  return machine;
}

const pathOf = (machine: Machine) => ({
  PATH: [
    join(machine.project, "node_modules/.bin"),
    "node_modules/.bin",
    join(machine.dir, "bin"),
    "/usr/bin",
    "/bin",
  ].join(":"),
});

const report = z.object({
  hosts: z.array(
    z.object({
      name: z.string(),
      version: z.string().nullable(),
      isTested: z.boolean(),
      installed: z.array(z.object({ level: z.string(), isThere: z.boolean() })),
      never: z.array(z.string()),
      events: z.array(z.object({ event: z.string(), ours: z.string() })),
    }),
  ),
});

test("agents and their versions are found without starting them where possible, and never in the project", async () => {
  const machine = withAgents();
  const env = pathOf(machine);
  const { stdout } = await machine.run(["hosts", "--json"], { env });
  const { hosts } = report.parse(JSON.parse(stdout));
  expect(hosts.map(({ name, version, isTested }) => [name, version, isTested])).toEqual([
    ["claude", "2.1.325", true],
    ["codex", "0.166.3", true],
    ["gemini", "0.99.1", false],
  ]);
  expect(hosts.map(({ never }) => never.length)).toEqual([3, 3, 0]);
  for (const { name, events } of hosts) {
    const mapped = Object.entries(Object.entries(DIALECTS).find(([one]) => one === name)?.[1].events ?? {});
    expect(events.map(({ event }) => event)).toEqual(
      mapped.flatMap(([event, { ours }]) => (ours === null ? [] : [event])),
    );
  }

  const warned = await machine.run(["install", "gemini", "--yes"], { env });
  expect([warned.code, warned.stdout]).toEqual([
    0,
    expect.stringContaining("! Gemini CLI 0.99.1 was not tested with hookline; 0.61 was."),
  ]);
});

test("the table says what each agent can do, where hookline is installed, and that hooks were taken out again", async () => {
  const machine = new Machine();
  await machine.run(["install", "codex", "--yes"]);
  const { stdout } = await machine.run(["hosts"]);
  expect(stdout).toMatch(/^Codex +only its folder +0\.166 +user · ~\/\.codex\/hooks\.json$/m);
  expect(stdout).toMatch(/^Claude Code +not found +2\.1\.325 +-$/m);
  expect(stdout).toMatch(/^PreToolUse \(BeforeTool\) +tested\* +tested\* +tested\* +tested +tested +-$/m);
  expect(stdout).toContain("* can be overridden by a mod");
  expect(stdout).toContain("never fires BeforeModel, BeforeToolSelection, AfterModel");

  machine.write({ "home/.codex/hooks.json": "{}" });
  expect((await machine.run(["hosts", "codex"])).stdout).toContain("(its hooks are gone from the file)");
});

test.each([60, 80])(
  "on a terminal of %i columns the tables fit, or become paragraphs that break between words",
  async (columns) => {
    const machine = new Machine({ "home/.claude/settings.json": {} });
    await machine.run(["install", "claude", "--yes"]);
    const { stdout } = await machine.run(["hosts"], { columns });
    expect(stdout.split("\n").filter((line) => line.length > columns)).toEqual([]);
    expect(stdout).toContain("  PreToolUse (BeforeTool)\n    block tested* · stop tested* · ask tested*");
    expect(stdout).toMatch(/waits up to 60 min for hookline, as it is\s+installed; 10\s+min\s+for other/);
  },
);

test("a question in an agent that cannot ask is asked by hookline", async () => {
  const { stdout } = await new Machine().run(["hosts", "codex"]);
  expect(stdout).toMatch(/^PreToolUse \(BeforeTool\) +tested +→ block +hookline /m);
  expect(stdout).toContain(
    "hookline: hookline asks you (`hookline asks`); without an answer in time, the answer is no",
  );
});
