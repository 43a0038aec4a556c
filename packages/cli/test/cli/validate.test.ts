import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const GOOD = hooksOn("BeforeTool", [{ name: "fine", command: "true" }]);
const DOUBTFUL = hooksOn("BeforeTool", [{ name: "broad", command: "true" }], { matcher: "read" });
const BAD = hooksOn("BeforeTool", [{ name: "gone", command: "./gone.sh" }]);

test("without problems it says what it looked at", async () => {
  const machine = new Machine({ [PROJECT_FILE]: GOOD, [USER_FILE]: GOOD });
  const { code, stdout } = await machine.cli(["validate", ".hookline/settings.json"]);
  expect([code, stdout]).toEqual([0, "✓ 1 hook in 1 file, no problems\n"]);
});

test("an error is told with its place and the next step, and fails", async () => {
  const { code, stdout } = await new Machine({ [PROJECT_FILE]: BAD }).cli(["validate"]);
  expect(code).toBe(1);
  const [first, second, ...rest] = stdout.split("\n");
  expect(first).toMatch(/^\.hookline\/settings\.json:\d+:\d+ error "\.\/gone\.sh" was not found/);
  expect(second).toBe("  Create the file, correct its path, or make it executable with `chmod +x`.");
  expect(rest).toEqual(["", "1 error, 0 warnings (1 hook in 1 file)", ""]);
});

test("a warning fails only with --strict", async () => {
  const machine = new Machine({ [PROJECT_FILE]: DOUBTFUL });
  const lenient = await machine.cli(["validate", "--json"]);
  const strict = await machine.cli(["validate", "--json", "--strict"]);
  expect([lenient.code, strict.code]).toEqual([0, 1]);
  expect(JSON.parse(lenient.stdout)).toMatchObject({ errors: 0, warnings: 1, hooks: 1 });
});

test("paths are checked alone: a file, a folder, a hook file, a file of no layer", async () => {
  const yaml =
    "id: x\nevent_type: SessionStop\nenabled: true\nblocking: false\nhandler: { kind: script, command: ./gone.sh, timeout: 5s }\n";
  const machine = new Machine({
    [PROJECT_FILE]: GOOD,
    "project/.system/hooks/x.yaml": yaml,
    [USER_FILE]: BAD,
    "other/.hookline/settings.json": DOUBTFUL,
    "loose.json": BAD,
  });
  const check = async (...paths: string[]) => {
    const { code, stdout } = await machine.cli(["validate", "--json", ...paths]);
    const { errors, warnings, files } = JSON.parse(stdout);
    return [code, errors, warnings, files.map((file: string) => file.slice(machine.dir.length + 1))];
  };
  expect(await check(".hookline/settings.json")).toEqual([0, 0, 0, [PROJECT_FILE]]);
  expect(await check("../other")).toEqual([0, 0, 1, ["other/.hookline/settings.json"]]);
  expect(await check(".system/hooks/x.yaml")).toEqual([1, 1, 0, ["project/.system/hooks/x.yaml"]]);
  expect(await check("../home/.hookline/settings.json")).toEqual([1, 1, 0, [USER_FILE]]);
  expect(await check("../loose.json")).toEqual([1, 1, 0, ["loose.json"]]);
  expect(await check("../loose.json", "../other")).toEqual([1, 1, 1, ["loose.json", "other/.hookline/settings.json"]]);
});

test("a path that does not exist is an error", async () => {
  const { code, stderr } = await new Machine().cli(["validate", "nowhere.json"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("There is no such file or folder.")]);
});

test("a script that replaces the response without holding it is reported", async () => {
  const machine = new Machine({
    "project/replace.sh": '#!/bin/sh\necho \'{"hookSpecificOutput":{"llm_response":{}}}\'\n',
    [PROJECT_FILE]: hooksOn("AfterModel", [{ name: "replaces", command: "./replace.sh" }]),
  });
  const { stdout } = await machine.cli(["validate"]);
  expect(stdout).toContain('warning "replaces" seems to replace the model\'s response');
});

test("workers are said to pay in sessions only, which is no problem; one on a rare event is doubted", async () => {
  const worker = (name: string) => ({ name, command: "true", type: "worker" });
  const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeTool", [worker("often")]) });
  const { code, stdout } = await machine.cli(["validate", "--strict"]);
  const note =
    "  1 worker hook starts at the first event: a one-shot command such as hookline fire pays for the start every time.";
  expect([code, stdout]).toEqual([0, `✓ 1 hook in 1 file, no problems\n${note}\n`]);

  const rare = new Machine({ [PROJECT_FILE]: hooksOn("SessionStart", [worker("seldom")]) });
  const doubted = await rare.cli(["validate", "--strict"]);
  expect([doubted.code, doubted.stdout]).toEqual([
    1,
    expect.stringContaining('"seldom" is a worker, but SessionStart fires'),
  ]);
});
