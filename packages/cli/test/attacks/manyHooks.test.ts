import { spawn } from "node:child_process";
import { expect, test, vi } from "vitest";
import { BINARY, endOf, Machine, USER_FILE } from "../support/machine.ts";

vi.setConfig({ testTimeout: 120_000 });

const COUNT = 2_000;
/** Of the processor, so that other programs on the machine do not count. To compare every hook with every other takes twice as long and more. */
const MAX_CPU_SECONDS = 9;

/** The same but for the last, so that it takes long to compare two of them. */
const names = (own: string) => [...Array.from({ length: 60 }, (_, n) => `SHARED_${n}`), own];
const ownEnv = (index: number) => ({
  env: Object.fromEntries(names("OWN").map((name) => [name, name === "OWN" ? `${index}` : ""])),
});

test.each([
  ["an environment each", "BeforeTool", ownEnv],
  ["variables of their own to pass on", "BeforeTool", (index: number) => ({ passEnv: names(`OWN_${index}`) })],
  ["an environment each, around an ability", "PreAbilityCall", ownEnv],
])("thousands of hooks of one command with %s do not keep the program busy", async (_how, event, fieldsOf) => {
  const hooks = Array.from({ length: COUNT }, (_, index) => ({
    type: "command",
    name: `guard-${index}`,
    command: "exit 2",
    ...fieldsOf(index),
  }));
  const machine = new Machine({ [USER_FILE]: JSON.stringify({ hooks: { [event]: [{ hooks }] } }) });
  const explain = [process.execPath, BINARY, "explain", event, "run_shell_command"];
  const limited = ["-c", 'ulimit -t "$0" && exec "$@"', String(MAX_CPU_SECONDS), ...explain];
  const { code, stdout } = await endOf(spawn("sh", limited, { cwd: machine.project, env: machine.env() }));
  expect({ code, lists: stdout.includes(`guard-${COUNT - 1}`) }).toEqual({ code: 0, lists: true });
});
