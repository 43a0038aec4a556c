import { expect, test } from "vitest";
import { nearest } from "../../../src/config/values/nearest.ts";
import { EVENTS } from "../../../src/events/catalog.ts";

test.each([
  ["BeforeTol", "BeforeTool"],
  ["beforetool", "BeforeTool"],
  ["BeforeTools", "BeforeTool"],
  ["BeforeToool", "BeforeTool"],
  ["BefroeTool", "BeforeTool"],
  ["AfterModle", "AfterModel"],
  ["SesionStart", "SessionStart"],
  ["PreAbilityCal", "PreAbilityCall"],
  ["Whatever", undefined],
  ["", undefined],
  ["__proto__", undefined],
])("the event nearest to %j is %j", (word, expected) => {
  expect(nearest(word, Object.keys(EVENTS))).toBe(expected);
});

test("the beginning of a name counts as near, however much is missing", () => {
  expect(nearest("allowSkips", ["allowSkipsConfirmation", "passEnv"])).toBe("allowSkipsConfirmation");
});
