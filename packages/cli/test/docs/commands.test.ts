import { expect, test } from "vitest";
import { ROOT, readText } from "../../../../test/repository.ts";
import { COMMANDS } from "../../src/commands/index.ts";
import type { Command, Entry } from "../../src/terminal/command.ts";
import { ExitCode } from "../../src/terminal/exitCode.ts";

interface Generator {
  readonly commandsPage: (commands: readonly Entry[]) => string;
}

const page = readText("docs/reference/cli.md");
const commands = COMMANDS.filter(({ hidden }) => !hidden).flatMap((entry): { words: string; command: Command }[] =>
  "commands" in entry
    ? entry.commands.map((command) => ({ words: `${entry.name} ${command.name}`, command }))
    : [{ words: entry.name, command: entry }],
);

test("the page of commands is what the command table says; else run `npm run docs`", async () => {
  const { commandsPage }: Generator = await import(`${ROOT}scripts/commandsPage.mjs`);
  expect(commandsPage(COMMANDS)).toBe(page);
});

test("the page has a section for each command, none for hidden ones, and every exit code", () => {
  const sections = [...page.matchAll(/^##+ hookline (.+)$/gm)].map(([, words]) => words);
  const groups = COMMANDS.flatMap((entry) => ("commands" in entry ? [entry.name] : []));
  expect(sections.filter((words) => !groups.includes(words ?? ""))).toEqual(commands.map(({ words }) => words));
  const codes = [...page.matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(ExitCode));
});

test.each(commands)("the examples of `$words` use options that it has", ({ words, command }) => {
  const known = ["--json", ...command.options.flatMap(({ flags }) => flags.match(/--?[a-z][a-z-]*/g) ?? [])];
  for (const [example] of command.examples) {
    // What is quoted is a value, and what follows a pipe is another program.
    const own = example.split(" | ")[0]?.replaceAll(/'[^']*'|"[^"]*"/g, "") ?? "";
    expect(own, example).toContain(`hookline ${words}`);
    const used = [...own.matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(
      used.filter((flag) => !known.includes(flag)),
      example,
    ).toEqual([]);
  }
});
