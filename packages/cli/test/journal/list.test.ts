import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { hooksOn, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { event, guarded, RecordedMachine, runIn } from "./queriesJournal.ts";

const HOOKS = [
  { name: "guard", command: "true" },
  { name: "idle", command: "true" },
];
/** Two hooks of the project; the user has one with the name of the first. */
const FILES = {
  [PROJECT_FILE]: hooksOn("BeforeTool", HOOKS),
  [USER_FILE]: hooksOn("BeforeTool", [{ name: "guard", command: "true" }]),
};

const lastOf = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, 4)
    .map((line) => line.split(/ {2,}/))
    .map(([name, , , , , last]) => [name, last]);

test("list has each hook's last outcome and when that was; the same name elsewhere is another hook", async () => {
  const machine = new RecordedMachine(FILES).append(
    guarded(1, "allow", { at: Date.now() - 600_000 }),
    guarded(2, "block", { at: Date.now() - 185_000 }),
  );
  const { code, stdout, stderr } = await machine.cli(["list"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lastOf(stdout)).toEqual([
    ["id", "last"],
    ["guard", "block 3 min ago"],
    ["idle", "never"],
    ["guard", "never"],
  ]);
});

test("what a hook that only looks on would have done is no block", async () => {
  const plain = event(1, { at: Date.now() - 185_000 });
  const machine = new RecordedMachine(FILES).append({
    ...plain,
    runs: [runIn(plain, { outcome: "block", applied: false, pass: "observe" })],
  });
  const { stdout } = await machine.run(["list"]);
  expect(lastOf(stdout)[1]).toEqual(["guard", "would block 3 min ago"]);
});

test("--json has it, too, with the event and the reason", async () => {
  const machine = new RecordedMachine(FILES).append(guarded(1, "block"));
  const { stdout } = await machine.run(["list", "--json"]);
  expect(JSON.parse(stdout).hooks.map(({ id, layer, last }: Record<string, unknown>) => ({ id, layer, last }))).toEqual(
    [
      {
        id: "guard",
        layer: "project",
        last: {
          outcome: "block",
          at: new Date(event(1).at).toISOString(),
          event: "BeforeTool",
          reason: "Not this file.",
        },
      },
      { id: "idle", layer: "project", last: null },
      { id: "guard", layer: "user", last: null },
    ],
  );
});

test("a journal that cannot be read is said on standard error; the hooks are listed", async () => {
  const machine = new RecordedMachine(FILES);
  mkdirSync(dirname(machine.journal), { recursive: true });
  writeFileSync(machine.journal, "rubbish".repeat(1_000));
  const { code, stdout, stderr } = await machine.cli(["list"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^! .*journal\.db: The file is not a journal, or is damaged .*hookline doctor.*\n$/);
  expect(lastOf(stdout)).toEqual([
    ["id", "last"],
    ["guard", "unknown"],
    ["idle", "unknown"],
    ["guard", "unknown"],
  ]);
});
