import { describe, expect, test } from "vitest";
import { ABILITIES } from "../../src/declarations/abilities/abilities.ts";
import { openProject, type ProjectOptions } from "../../src/project/openProject.ts";
import { Machine } from "../support/machine.ts";

const SLOW = { type: "command", name: "slow", command: "sleep 0.3; echo done > ran", blocking: false };
const SETTINGS = { hooks: { BeforeTool: [{ matcher: "write_file", hooks: [SLOW] }] } };

function open(machine: Machine, options: Partial<ProjectOptions>) {
  const { project: cwd, home: homeDir, systemFile } = machine;
  const io = { cwd, homeDir, systemFile, env: machine.env() };
  return openProject(io, { trust: "all", unreadSettings: undefined, onNotice: () => {}, ...options });
}

test("the close waits for hooks in the background and for what was added, then writes the journal", async () => {
  const machine = new Machine({ "project/.hookline/settings.json": SETTINGS });
  const project = await open(machine, { starts: [ABILITIES] });
  const events = project.system.getEventHandler();
  await events.fire("BeforeTool", { tool_name: "write_file", tool_input: {} });
  await events.fire("BeforeTool", { tool_name: "read_file", tool_input: {} });
  let atEnd: unknown;
  project.onClose(() => {
    atEnd = { hasRun: machine.has("project/ran"), isRecorded: project.journal?.pending === 0 };
  });
  await project.close();
  expect(atEnd).toEqual({ hasRun: true, isRecorded: false });
  expect(project.journal?.pending).toBe(0);
  const { stdout } = await machine.cli(["stats", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    hooks: [{ hook: "slow", runs: 1 }],
    events: [{ event: "BeforeTool", matched: 1, unmatched: 1 }],
  });
});

describe("a start that fails ends the journal's thread, if it fails", () => {
  const machine = () =>
    new Machine({ "project/.hookline/settings.json": SETTINGS, "project/.hookline/journal.db": "of version 0.1" });

  test.each<[string, Partial<ProjectOptions>, string]>([
    ["before the hooks are started", { trust: undefined }, "not trusted"],
    [
      "after the hooks are started",
      {
        onNotice: (text) => {
          throw new Error(`told: ${text}`);
        },
      },
      ".hookline/journal.db: not read",
    ],
  ])("%s", async (_, options, message) => {
    const listeners = () => process.listeners("exit").length;
    const before = listeners();
    await expect(open(machine(), { ...options, firesAtOnce: true })).rejects.toThrow(message);
    expect(listeners()).toBe(before);
  });
});

test("a write into a moved state folder needs approval, whatever opened the project", async () => {
  const machine = new Machine({ "project/.hookline/settings.json": SETTINGS });
  const stateDir = `${machine.dir}/moved`;
  const { project: cwd, home: homeDir, systemFile } = machine;
  const io = { cwd, homeDir, systemFile, stateDir, env: machine.env() };
  const project = await openProject(io, { trust: "all", unreadSettings: undefined, onNotice: () => {} });
  expect(project.system.whyProtected(`${stateDir}/projects/tasks.db`)).toContain("belongs to the program");
  expect(project.system.whyProtected(`${machine.dir}/elsewhere/tasks.db`)).toBeUndefined();
  await project.close();
});
