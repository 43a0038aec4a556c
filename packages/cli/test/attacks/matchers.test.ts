import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const GUARD = { name: "guard", command: "exit 2", onError: "block" };
const guarded = (matcher: string, event = "BeforeTool") => hooksOn(event, [GUARD], { matcher });
const yaml = (subject: string) =>
  `id: guard\nevent_type: BeforeTool\nenabled: true\nblocking: true\non_failure: fail\nmatch:\n  subject: ${subject}\nhandler:\n  kind: script\n  command: exit 2\n`;

test.each([
  ["a letter is in the wrong place", { [PROJECT_FILE]: guarded("wriet_file") }, "wriet_file"],
  ["there is no such tool", { [PROJECT_FILE]: guarded("web_fetch") }, "web_fetch"],
  ["one of its words is wrong", { [PROJECT_FILE]: guarded("write_file|web_fetch") }, "web_fetch"],
  ["it is anchored", { [PROJECT_FILE]: guarded("^(raed_file)$") }, "raed_file"],
  ["it stands in the user's settings", { [USER_FILE]: guarded("wriet_file", "AfterTool") }, "wriet_file"],
  ["it stands in a YAML file", { "project/.system/hooks/guard.yaml": yaml("wriet_file") }, "wriet_file"],
])("a guard that never runs because of its matcher is not called fine: %s", async (_why, files, word) => {
  const { stdout } = await new Machine(files).cli(["validate"]);
  expect(stdout).toMatch(new RegExp(`${word}.*matches no known tool, so the hook may never run`));
});
