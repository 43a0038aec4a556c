import { expect, test } from "vitest";
import { hooksOn, PROJECT_FILE } from "../support/machine.ts";
import { event, RecordedMachine, runIn } from "./queriesJournal.ts";

const COMMAND = "curl -H 'X-Api-Key: hunter2' https://me:hunter2@host/";
const SHOWN = "curl -H 'X-Api-Key: [redacted]' https://me:[redacted]@host/";

/** A hook without a name is called by its command. */
function recorded(): RecordedMachine {
  const machine = new RecordedMachine({ [PROJECT_FILE]: hooksOn("BeforeTool", [{ command: COMMAND }]) });
  const hook = { name: COMMAND, source: "project", type: "command" };
  return machine.append({ ...event(1), runs: [runIn(event(1), { hook })] });
}

test("a hook whose name is hidden in the journal is found by it in the list", async () => {
  const { stdout } = await recorded().run(["list", "--json"]);
  expect(JSON.parse(stdout).hooks).toMatchObject([{ id: COMMAND, last: { outcome: "allow" } }]);
});

test.each([COMMAND, SHOWN])("log and stats find it as %s", async (name) => {
  const machine = recorded();
  const log = await machine.run(["log", "--hook", name, "--json"]);
  expect(JSON.parse(log.stdout)).toMatchObject({ kind: "run", hook: SHOWN });
  const stats = await machine.run(["stats", "--hook", name, "--json"]);
  expect(JSON.parse(stats.stdout).hooks).toMatchObject([{ hook: SHOWN, runs: 1, last: { outcome: "allow" } }]);
});
