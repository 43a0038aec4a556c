import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVENTS } from "@hookline/engine";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/index.ts";
import { BINARY, hooksOn, Machine, USER_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";

const NAMES = COMMANDS.filter(({ hidden }) => !hidden).map(({ name }) => name);
const HOOKS = hooksOn("BeforeTool", [
  { name: "check-edit", command: "true" },
  { name: "two words", command: "true # 2" },
  { name: "$(touch pwned)", command: "true # 3" },
  { name: "line\nbreak", command: "true # 4" },
]);

function machineWithProgram(): Machine {
  const machine = new Machine({ [USER_FILE]: HOOKS, "bin/x": "" });
  const program = join(machine.dir, "bin/hookline");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${BINARY}" "$@"\n`);
  chmodSync(program, 0o755);
  return machine;
}

describe.skipIf(!hasProgram("bash"))("in bash", () => {
  test.each([
    [
      ["hookline", ""],
      [...NAMES, "help", "--help", "--version"],
    ],
    [["hookline", "en"], ["enable"]],
    [
      ["hookline", "fire", "BeforeT"],
      ["BeforeToolSelection", "BeforeTool"],
    ],
    [["hookline", "events", ""], Object.keys(EVENTS)],
    [
      ["hookline", "fire", "--"],
      ["--input", "--trust-project", "--json", "--help"],
    ],
    [
      ["hookline", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["hookline", "disable", ""],
      ["check-edit", "two\\ words", "\\$\\(touch\\ pwned\\)"],
    ],
    [["hookline", "disable", "ch"], ["check-edit"]],
    [["hookline", "list", ""], []],
  ])("%j offers %j", async (words, offers) => {
    const machine = machineWithProgram();
    const { stdout: script } = await machine.cli(["completion", "bash"]);
    const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hookline; for reply in "\${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done`;
    const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", `${script}\n${ask}`, "bash", ...words], {
      cwd: machine.project,
      env: machine.env({ PATH: `${machine.dir}/bin:${process.env.PATH}` }),
      encoding: "utf8",
    });
    expect({
      status,
      stderr,
      offers: stdout
        .split("\n")
        .filter((line) => line !== "")
        .toSorted(),
    }).toEqual({
      status: 0,
      stderr: "",
      offers: offers.toSorted(),
    });
    expect(machine.has("project/pwned")).toBe(false);
  });
});

describe.each(["zsh", "fish"])("in %s", (shell) => {
  test.skipIf(!hasProgram(shell, { neededInCi: false }))("the script is accepted", async () => {
    const { stdout } = await machineWithProgram().cli(["completion", shell]);
    expect(spawnSync(shell, ["-n", "-c", stdout], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  test("every command and event is in the script", async () => {
    const { code, stdout } = await new Machine().cli(["completion", shell]);
    expect(code).toBe(0);
    expect([...NAMES, ...Object.keys(EVENTS)].filter((word) => !stdout.includes(word))).toEqual([]);
  });
});

test("an unknown shell is answered with those there are", async () => {
  const { code, stderr } = await new Machine().cli(["completion", "bsh"]);
  expect([code, stderr]).toEqual([
    1,
    '✗ There is no completion for "bsh". Did you mean "bash"?\n  Choose one of bash, zsh, fish.\n',
  ]);
});
