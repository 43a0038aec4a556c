import { describe, expect, test } from "vitest";
import { filesIn, readText } from "../../../../test/repository.ts";
import { badHabitsIn, type Prose, proseOfPage, proseOfScript, proseOfSource } from "./prose.ts";

type Reader = (text: string) => readonly Prose[];

/** How to find the prose of a file. Other files have none, such as recordings and results. */
const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries([".ts", ".mjs", ".c", ".h"].map((ending) => [ending, proseOfSource])),
  ...Object.fromEntries([".sh", ".py", ".yaml", "settings.json"].map((ending) => [ending, proseOfScript])),
  ".md": proseOfPage,
};

const SOURCES = [
  ...["engine", "journal", "cli", "client", "spawner"].flatMap((name) => filesIn(`packages/${name}/src`)),
  ...["packages/cli/shell", "proof", "scripts", "bench"].flatMap(filesIn),
];
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
  ...["engine", "journal", "cli"].map((name) => `packages/${name}/README.md`),
  ...filesIn("docs"),
];

test.each([
  ["messages, help and comments", SOURCES, 600],
  ["the pages", PAGES, 50],
  ["the examples", filesIn("examples"), 100],
])("%s name who acts, and say what something is not", (_, files, some) => {
  const read = files.filter((path) => readerOf(path) !== undefined);
  expect(read.length).toBeGreaterThan(some);
  expect(read.flatMap(habitsOf)).toEqual([]);
});

function habitsOf(path: string): readonly string[] {
  return badHabitsIn(readerOf(path)?.(readText(path)) ?? []).map((habit) => `${path}:${habit}`);
}

function readerOf(path: string): Reader | undefined {
  const ending = Object.keys(READERS).find((ending) => path.endsWith(ending));
  return ending === undefined ? undefined : READERS[ending];
}

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
    ["finds every habit", '"nobody is no one, and must be no one"', ["1: nobody", "1: is no", "1: be no"]],
    ["finds a comment of C", "#include <a/b.h>\n/*\n * Nobody else. */\nchar c = '\"';", ["3: Nobody"]],
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

test("in a script, the finder reads everything", () => {
  expect(badHabitsIn(proseOfScript("a=1\n# for nobody\necho 'somebody'"))).toEqual(["2: nobody", "3: somebody"]);
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
