import { expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/index.ts";
import { Machine } from "../support/machine.ts";

test.each([
  [["lst"], "✗ Unknown command 'lst'.\n  Did you mean list?\n"],
  [["list", "--jsno"], "✗ Unknown option '--jsno'.\n  Did you mean --json?\n"],
  [["fire"], "✗ Missing required argument 'event'.\n  Run `hookline --help` for the commands.\n"],
  [
    ["fire", "BeforTool"],
    '✗ There is no event "BeforTool". Did you mean "BeforeTool"?\n  `hookline events` lists the names this version knows.\n',
  ],
  [["disable", "nobody"], '✗ No hook is called "nobody".\n  `hookline list` shows every hook by its name.\n'],
])("%j is answered with what to do next", async (args, stderr) => {
  expect(await new Machine().cli(args)).toEqual({ code: 1, stdout: "", stderr });
});

test("with --json an error is JSON too", async () => {
  const { code, stdout, stderr } = await new Machine().cli(["events", "BeforTool", "--json"]);
  expect({ code, stderr, error: JSON.parse(stdout).error }).toEqual({
    code: 1,
    stderr: "",
    error: {
      code: "EVENT_UNKNOWN",
      what: 'There is no event "BeforTool". Did you mean "BeforeTool"?',
      next: "`hookline events` lists the names this version knows.",
    },
  });
});

test.each([[[]], [["--help"]], [["help"]]])("%j shows every command", async (args) => {
  const { code, stdout, stderr } = await new Machine().cli(args);
  expect([code, stderr]).toEqual([0, ""]);
  for (const { name, summary } of COMMANDS.filter(({ hidden }) => !hidden)) {
    expect(stdout).toContain(`  ${name} `);
    expect(stdout).toContain(summary);
  }
  expect(stdout).not.toContain("__complete");
});

/** Every command, with the words that name it. */
const LEAVES = COMMANDS.filter(({ hidden }) => !hidden).flatMap((entry) =>
  "commands" in entry
    ? entry.commands.map((command) => ({ words: [entry.name, command.name], command }))
    : [{ words: [entry.name], command: entry }],
);

test.each(LEAVES)("$words has help with an example and --json", async ({ words, command }) => {
  const { code, stdout } = await new Machine().run([...words, "--help"]);
  expect(code).toBe(0);
  expect(command.examples.length).toBeGreaterThan(0);
  for (const text of [command.summary, "--json", "Examples:", ...command.examples.map(([example]) => example)]) {
    expect(stdout).toContain(text);
  }
});

test("--version is the package's", async () => {
  expect(await new Machine().cli(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test("a reader that has seen enough is no failure", async () => {
  const child = new Machine().start(["events", "--json"]);
  child.stdout?.destroy();
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});
