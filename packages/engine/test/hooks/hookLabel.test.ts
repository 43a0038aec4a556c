import { expect, test } from "vitest";
import { hookLabel } from "../../src/hooks/telemetry/hookLabel.ts";
import { commandHook, testSystem } from "../support/system.ts";

test.each([
  ["./hooks/check.sh --key secret", "check.sh"],
  ["TOKEN=secret python3 /opt/guard.py", "python3"],
  ["/usr/local/bin/lint@2", "lint@2"],
  ["https://user:secret@hooks.example.com:8443/services/secret?token=secret", "hooks.example.com:8443"],
  ['"my tools/check" secret', "command"],
  ["$(echo secret)", "command"],
  ["A=secret", "command"],
])("a hook without a name that starts %j is called %j", async (command, label) => {
  const { system } = await testSystem(commandHook("BeforeTool", command));
  expect(
    system
      .getRegistry()
      .getAllHooks()
      .map(({ config }) => hookLabel(config)),
  ).toEqual([label]);
});

test("a hook with a name is called by it", async () => {
  const { system } = await testSystem(commandHook("BeforeTool", "./x.sh", { name: "no secrets, please" }));
  expect(
    system
      .getRegistry()
      .getAllHooks()
      .map(({ config }) => hookLabel(config)),
  ).toEqual(["no secrets, please"]);
});
