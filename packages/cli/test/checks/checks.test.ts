import type { HookDeclaration } from "@hookline/engine/program";
import { expect, test } from "vitest";
import { matcherHits } from "../../src/checks/matcherHits.ts";
import { replacesUnheld } from "../../src/checks/replacesUnheld.ts";
import { unknownTools } from "../../src/checks/unknownTools.ts";

function hook(facts: Partial<HookDeclaration>): HookDeclaration {
  return {
    kind: "hook",
    name: "h",
    eventName: "BeforeTool",
    source: "project",
    family: "hookline",
    place: { file: "settings.json", line: 1, column: 1 },
    type: "command",
    match: {},
    sequential: false,
    timeoutMs: 1_000,
    onError: "allow",
    mode: "enforce",
    blocking: true,
    hold: false,
    env: {},
    passEnv: [],
    replay: "run",
    ...facts,
  };
}

test.each([
  ["Edit", []],
  ["Read", []],
  ["EditTool|WriteFileTool", []],
  ["replace|run_shell_command|LS", []],
  ["mcp_tool", []],
  ["", []],
  ["^read", []],
  ["read.*", []],
  ["read", ["read_file"]],
  ["edit", ["replace"]],
  ["Edit|file", ["read_file, write_file, replace"]],
  ["File|Shell", ["read_file, write_file", "run_shell_command"]],
])("matcher %j also hits %j", (matcher, others) => {
  const said = matcherHits(hook({ matcher })).map(({ what }) => /names of (.*), so/.exec(what)?.[1]);
  expect(said).toEqual(others);
});

test("matchers of other subjects are not asked", () => {
  expect(matcherHits(hook({ eventName: "SessionStart", matcher: "read" }))).toEqual([]);
});

const REPLACING = 'print({"hookSpecificOutput": {"llm_response": x}})';

test.each([
  ["a replacing hook", { eventName: "AfterModel" }, REPLACING, 1],
  ["the older name", { eventName: "AfterModel" }, "modifiedResponse", 1],
  ["one that holds", { eventName: "AfterModel", hold: true }, REPLACING, 0],
  ["one that observes", { eventName: "AfterModel", mode: "observe" as const }, REPLACING, 0],
  ["one nobody waits for", { eventName: "AfterModel", blocking: false }, REPLACING, 0],
  ["one that only reads", { eventName: "AfterModel" }, "input.llm_response", 0],
  ["another event", { eventName: "BeforeModel" }, REPLACING, 0],
])("%s without hold is reported as it should be", (_, facts, text, count) => {
  expect(replacesUnheld(hook(facts), ["unrelated", text])).toHaveLength(count);
});

test.each([
  ["wriet_file", ['"wriet_file" matches no known tool, so the hook may never run. Did you mean "write_file"?']],
  ["write_file|web_fetch", ['"web_fetch" matches no known tool, so the hook may never run.']],
  ["^wirte.*$", ['"^wirte.*$" matches no known tool, so the hook may never run.']],
  ["^(write|read)_file$", []],
  ["EditTool|Bash|create_task|file", []],
  ["mcp_git_push|^mcp_", []],
  ["mcp__github", []],
  ["^.*$", []],
  ["(?!read).*", []],
  ["*", []],
])("the matcher %s is asked for known tools", async (matcher, said) => {
  const problems = await unknownTools(hook({ matcher }), false);
  expect(problems.map(({ what }) => what.replace("The matcher ", ""))).toEqual(said);
});

test("a word that may be part of a server's tool is not doubted where servers are declared", async () => {
  expect(await unknownTools(hook({ matcher: "web_fetch" }), true)).toEqual([]);
  expect(await unknownTools(hook({ matcher: "wriet_file" }), true)).toHaveLength(1);
  expect(await unknownTools(hook({ eventName: "SessionStart", matcher: "wriet_file" }), false)).toEqual([]);
});
