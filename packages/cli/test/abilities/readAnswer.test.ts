import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/abilities/execute/readAnswer.ts";
import { readEnding } from "../../src/abilities/execute/readEnding.ts";

const projectRoot = "/project";
const read = (text: string, isCut = false) => readAnswer(text, { projectRoot, isCut });

test.each([
  ["nothing", "", { status: "success", output: "", changedFiles: [] }],
  ["plain text", "done\n", { status: "success", output: "done", changedFiles: [] }],
  ["an object without a status", '{"rows":3}', { status: "success", output: { rows: 3 }, changedFiles: [] }],
  ["a success", '{"status":"success","output":[1]}', { status: "success", output: [1], changedFiles: [] }],
  ["no output", '{"status":"partial"}', { status: "partial", output: "", changedFiles: [] }],
  [
    "files",
    '{"status":"success","output":"x","changed_files":["a.ts","./a.ts","/project/src/b.ts","../c","/etc/passwd","."]}',
    { status: "success", output: "x", changedFiles: ["a.ts", "src/b.ts"] },
  ],
  [
    "a failure with words",
    '{"status":"failure","output":"no"}',
    { status: "failure", output: "no", changedFiles: [], error: "no" },
  ],
  [
    "a failure with an error",
    '{"status":"failure","output":1,"error":{"message":"why"}}',
    { status: "failure", output: 1, changedFiles: [], error: "why" },
  ],
])("%s is read", (_, printed, answer) => {
  expect(read(printed)).toEqual(answer);
});

describe("rubbish is a failure that says what it is:", () => {
  test.each([
    ["half an object", "{ oops", false, "begins like JSON but is invalid"],
    ["an unknown status", '{"status":"fine"}', false, '"status"'],
    ["files that are no list", '{"status":"success","changed_files":"a"}', false, '"changed_files"'],
    ["an object that is cut", `{"status":"success","output":"${"x".repeat(50)}`, true, "Its answer is too long"],
  ])("%s", (_, printed, isCut, words) => {
    expect(read(printed, isCut)).toMatchObject({ status: "failure", error: expect.stringContaining(words) });
  });
});

const captured = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };

test("an exit code that is not 0 is a failure, whatever was printed, with what was said", () => {
  const stdout = '{"status":"success","output":"x","changed_files":["a"]}';
  const ending = { kind: "exited" as const, code: 3, leftBehind: false, ...captured, stdout, stderr: "no rights\n" };
  expect(readEnding(ending, projectRoot)).toEqual({
    status: "failure",
    output: "x",
    changedFiles: ["a"],
    error: "It exited with code 3.\nno rights",
  });
});

test.each([
  [{ kind: "timedOut" as const, afterMs: 50, ...captured }, "It took longer than 50 ms and was killed."],
  [{ kind: "killed" as const, signal: "SIGSEGV" as const, ...captured }, "It was killed by SIGSEGV."],
  [
    { kind: "notStarted" as const, cause: new Error("there is no ./x.sh") },
    "It could not be started: there is no ./x.sh",
  ],
])("an end without an answer is a failure that says how it ended", (ending, error) => {
  expect(readEnding(ending, projectRoot)).toMatchObject({ status: "failure", error });
});
