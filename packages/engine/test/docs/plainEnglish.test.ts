import { describe, expect, test } from "vitest";
import { filesIn, readText } from "../../../../test/repository.ts";
import { badHabitsIn, proseOfPage, proseOfSource } from "./prose.ts";

const SOURCES = ["engine", "journal", "cli"]
  .flatMap((name) => filesIn(`packages/${name}/src`))
  .filter((path) => path.endsWith(".ts"));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  ...filesIn("docs").filter((path) => path.endsWith(".md")),
  ...filesIn("examples").filter((path) => path.endsWith("README.md")),
];

test("messages, help and comments name who acts, and say what something is not", () => {
  expect(SOURCES.length).toBeGreaterThan(500);
  const habitsOf = (path: string) => badHabitsIn(proseOfSource(readText(path))).map((habit) => `${path}:${habit}`);
  expect(SOURCES.flatMap(habitsOf)).toEqual([]);
});

test("the pages do so, too, outside of code", () => {
  expect(PAGES.length).toBeGreaterThan(30);
  expect(PAGES.flatMap((path) => badHabitsIn(proseOfPage(readText(path))).map((habit) => `${path}:${habit}`))).toEqual(
    [],
  );
});

describe("in a source, the finder", () => {
  test.each([
    ["finds a string", 'throw new Error("This is no folder.");', ["1: is no"]],
    ["finds a string in single quotes", "say('they are no files');", ["1: are no"]],
    ["finds a template", `const what = \`\n\${name} is no field\`;`, ["2: is no"]],
    [
      "finds a string inside of a template",
      `const what = \`\${isIt ? "Nobody is" : "a person is"} here\`;`,
      ["1: Nobody"],
    ],
    [
      "finds what follows a part of a template",
      `const what = \`\${{ a: \`\${b}\` }.a} for whoever asks\`;`,
      ["1: whoever"],
    ],
    ["finds a comment at the end of a line", "\nwait(); // somebody else is faster", ["2: somebody"]],
    ["finds a line of a long comment", "/**\n * Runs.\n * Nobody waits.\n */", ["3: Nobody"]],
    [
      "finds a string after an expression with a quote",
      'text.replace(/["\'`]/g, ""); say("it is no list")',
      ["1: is no"],
    ],
    ["finds a string after a division", 'const half = all / 2; const more = "for nobody" + 1 / 2;', ["1: nobody"]],
    ["finds every habit", '"nobody is no one"', ["1: nobody", "1: is no"]],
    ["allows what is not there", '"There is no file, and there are no folders."', []],
    ["allows the end of something", '"It is no longer declared; they are no longer used."', []],
    ["leaves names alone", "const nobody = whoever.somebody;", []],
    ["leaves expressions alone", "const habit = /nobody|whoever/;", []],
    ["leaves values alone", 'record({ by: "nobody" }); // `nobody`: there was no person to ask', []],
    ["leaves parts of words alone", '"This notes; nobodys"', []],
  ])("%s", (_, source, habits) => {
    expect(badHabitsIn(proseOfSource(source))).toEqual(habits);
  });

  test.each([
    ["a string", 'const a = "b;\nconst c = 1;'],
    ["a template", "const a = `b;"],
    ["a block", "}"],
  ])("gives up on %s that it cannot follow", (_, source) => {
    expect(() => proseOfSource(source)).toThrow(Error);
  });
});

describe("in a page, the finder", () => {
  test.each([
    ["finds a sentence", "# A\n\nNobody is asked.", ["3: Nobody"]],
    ["finds what follows a block", "```sh\nnobody\n```\nThis is no list.", ["4: is no"]],
    ["leaves code alone", "```sh\nnobody\n```\n`whoever` stays.", []],
  ])("%s", (_, page, habits) => {
    expect(badHabitsIn(proseOfPage(page))).toEqual(habits);
  });
});
