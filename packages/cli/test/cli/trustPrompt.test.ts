import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { BINARY, eventually, hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";

/** A terminal of its own: a tmux server that nobody else uses. */
function terminal(machine: Machine, args: string) {
  const name = `hookline-${randomUUID()}`;
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-L", name, "-f", "/dev/null", ...words], { encoding: "utf8" });
  const command = `cd '${machine.project}' && HOME='${machine.home}' '${process.execPath}' '${BINARY}' ${args}; echo "exit code $?"; sleep 60`;
  tmux("new-session", "-d", "-x", "160", "-y", "50", command);
  onTestFinished(() => void tmux("kill-server"));
  const screen = () => tmux("capture-pane", "-p");
  return {
    screen,
    keys: (...keys: string[]) => void tmux("send-keys", ...keys),
    shows: (text: string) => eventually(() => screen().includes(text)),
  };
}

describe.skipIf(!hasProgram("tmux"))("on a terminal", () => {
  const FILES = {
    "project/check.sh": "#!/bin/sh\necho looking closely\n",
    [PROJECT_FILE]: hooksOn("BeforeAgent", [{ name: "check", command: "./check.sh" }]),
  };

  test.each([
    ["y", "1 hook trusted", "exit code 0", 0],
    ["Enter", "Nothing is trusted", "exit code 1", 1],
    ["C-c", "", "exit code 130", 1],
  ])("trust shows the script and takes %s for an answer", async (key, text, end, fireCode) => {
    const machine = new Machine(FILES);
    const { screen, keys, shows } = terminal(machine, "trust");
    await shows("start this code");
    expect(screen()).toContain("┆ echo looking closely");
    keys(key);
    await shows(end);
    expect(screen()).toContain(text);
    expect((await machine.cli(["fire", "BeforeAgent"])).code).toBe(fireCode);
  });

  test("fire asks first, and runs after a yes", async () => {
    const { keys, shows, screen } = terminal(new Machine(FILES), "fire BeforeAgent");
    await shows("start this code");
    keys("y");
    await shows("exit code 0");
    expect(screen()).toContain("looking closely");
  });

  test("fire says whom it is waiting for", async () => {
    const later = { name: "later", command: "sleep 0.5", blocking: false };
    const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeAgent", [later]) });
    const { shows } = terminal(machine, "fire BeforeAgent --trust-project");
    await shows("waiting for 1 background hook");
    await shows("exit code 0");
  });
});
