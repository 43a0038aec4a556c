import { describe, expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { TestTerminal } from "../support/terminal.ts";

describe.skipIf(!hasProgram("tmux"))("at a terminal", () => {
  test("Ctrl-D is no answer to a yes or no: nothing is trusted, and the program ends", async () => {
    const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeAgent", [{ name: "check", command: "true" }]) });
    const terminal = new TestTerminal(machine, "trust");
    await terminal.shows("start this code");
    terminal.keys("C-d");
    await terminal.shows("exit code 130");
    expect((await machine.cli(["fire", "BeforeAgent"])).code).toBe(1);
  }, 120_000);
});
