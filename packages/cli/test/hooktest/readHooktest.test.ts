import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS } from "@hookline/engine";
import { expect, onTestFinished, test } from "vitest";
import { readHooktest } from "../../src/hooktest/readHooktest.ts";

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "hookline-hooktest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.hooktest.yaml");
  writeFileSync(file, text);
  return file;
}

const CASE = "tests:\n  - name: a\n    event: BeforeTool\n";

test("a case has the event's sample with its own fields in it, and its place", async () => {
  const file = write(
    `${CASE}    input: { tool_input: { content: x }, tool_input.file_path: y }\n    expect: { decision: allow }\n`,
  );
  expect(await readHooktest(file)).toMatchObject({
    kind: "read",
    hooktest: {
      hooks: undefined,
      tests: [
        {
          name: "a",
          place: { file, line: 2, column: 5 },
          input: { ...EVENTS.BeforeTool.sample, tool_input: { file_path: "y", content: "x" } },
          files: {},
          env: {},
          expect: { decision: "allow" },
        },
      ],
    },
  });
});

test("a field that a case writes whole has nothing of the sample in it", async () => {
  const file = write(`${CASE}    input: { tool_input: { command: ls } }\n    expect: { decision: allow }\n`);
  const whole = await readHooktest(file);
  expect(whole.kind === "read" && whole.hooktest.tests[0]?.input.tool_input).toEqual({ command: "ls" });
  const dotted = write(`${CASE}    input: { tool_input.command: ls }\n    expect: { decision: allow }\n`);
  const input = { tool_input: { command: "ls", file_path: expect.any(String), content: expect.any(String) } };
  expect(await readHooktest(dotted)).toMatchObject({ hooktest: { tests: [{ input }] } });
});

const EXPECT = "    expect: ";

test.each([
  ["", "1:1", "The file is empty."],
  ["tests: [", "1:9", "This is not YAML:"],
  ["[]", "1:1", "The file must be a mapping."],
  ["hooks: [a]", "1:1", '"tests" is missing.'],
  ["tests: []", "1:8", '"tests" is empty.'],
  ["tests: {}", "1:8", '"tests" must be a list.'],
  ["hooks: []\ntests: [1]", "1:8", '"hooks" is empty.'],
  ["tests: [1]", "1:9", "Entry 1 must be a mapping."],
  [
    `test: []\n${CASE}${EXPECT}{ decision: allow }`,
    "1:1",
    '"test" is not a field of a test file. Did you mean "tests"?',
  ],
  [
    `${CASE}    inptu: {}\n${EXPECT}{ decision: allow }`,
    "4:5",
    '"inptu" is not a field of a test. Did you mean "input"?',
  ],
  [`${CASE}${EXPECT}{ decison: allow }`, "4:15", '"decison" is not a field of "expect". Did you mean "decision"?'],
  [`${CASE}${EXPECT}{ decision: blocked }`, "4:25", '"decision" cannot be "blocked". Did you mean "block"?'],
  [`${CASE}${EXPECT}{ decision: maybe }`, "4:25", '"decision" cannot be "maybe". Write allow, ask, block, stop.'],
  [`${CASE}${EXPECT}{ reason: 42 }`, "4:23", '"reason" must be a text.'],
  [`${CASE}${EXPECT}{ reason: "" }`, "4:23", '"reason" is empty.'],
  [
    `${CASE}${EXPECT}{ message: "/[/" }`,
    "4:15",
    '"message" is not a regular expression: Invalid regular expression: /[/:',
  ],
  [`${CASE}${EXPECT}{}`, "4:5", '"expect" is empty; name at least one expectation.'],
  [CASE, "2:5", '"expect" is missing.'],
  [`${CASE}${EXPECT}{ hooks: { a: blocked } }`, "4:27", '"a" cannot be "blocked". Did you mean "block"?'],
  [
    `${CASE}${EXPECT}{ hooks: { a: { outcome: block, reasn: b } } }`,
    "4:45",
    '"reasn" is not a field of "a". Did you mean "reason"?',
  ],
  [`${CASE}${EXPECT}{ hooks: { a: { reason: b } } }`, "4:27", '"outcome" is missing.'],
  [`${CASE}    files: { ../a: b }\n${EXPECT}{ decision: allow }`, "4:14", '"../a" has a ".." in it; paths stay inside'],
  [`${CASE}    env: { PATH: b }\n${EXPECT}{ decision: allow }`, "4:12", '"PATH" cannot be set by a test:'],
  [
    `${CASE}    input: { tool_name: 3 }\n${EXPECT}{ decision: allow }`,
    "4:25",
    "The input of BeforeTool is invalid: tool_name:",
  ],
  [
    `${CASE}    input: { tool_nam: read_file }\n${EXPECT}{ decision: allow }`,
    "4:14",
    '"tool_nam" is not a field of BeforeTool. Did you mean "tool_name"?',
  ],
  [
    `${CASE}    input: { tool_inptu.content: a }\n${EXPECT}{ decision: allow }`,
    "4:14",
    '"tool_inptu" is not a field of BeforeTool. Did you mean "tool_input"?',
  ],
  [`${CASE}    input: { sesion_id: a }\n${EXPECT}{ decision: allow }`, "4:14", 'Did you mean "session_id"?'],
  [`${CASE}${EXPECT}{ decision: allow, decision: block }`, "4:32", '"decision" is repeated; the first is on line 4.'],
  ["tests:\n  - name: a\n    event: BeforTool\n    expect: { decision: allow }", "3:12", 'Did you mean "BeforeTool"?'],
  ["a: 1\n---\nb: 2", "2:1", "The file holds more than one document; write one set of tests per file."],
])("%j is wrong at %s: %s", async (text, place, what) => {
  const file = write(text);
  const read = await readHooktest(file);
  const problems = read.kind === "wrong" ? read.problems : [];
  const told = problems.map(({ code, where, what: said }) => ({ code, at: `${where.line}:${where.column}`, said }));
  expect(told).toContainEqual({ code: "HOOKTEST_INVALID", at: place, said: expect.stringContaining(what) });
});

test("a field that is like none of the event's is taken as it is", async () => {
  const file = write(`${CASE}    input: { agent_mood: fine }\n${EXPECT}{ decision: allow }\n`);
  expect(await readHooktest(file)).toMatchObject({ hooktest: { tests: [{ input: { agent_mood: "fine" } }] } });
});

test("a file that cannot be read is wrong, too", async () => {
  const file = join(tmpdir(), "hookline-no-such-folder/a.hooktest.yaml");
  expect(await readHooktest(file)).toMatchObject({
    kind: "wrong",
    problems: [
      { code: "HOOKTEST_INVALID", where: { file }, what: expect.stringContaining("The file cannot be read: ENOENT") },
    ],
  });
});
