// "Hooks for AI-Centric Development", 6.1: the list of hooks, with its columns.
import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

const hook = (id: string, event: string, blocking: boolean, match = "") => ({
  [`project/.system/hooks/${id}.yaml`]: `id: ${id}\nevent_type: ${event}\nenabled: true\nblocking: ${blocking}\non_failure: skip\n${match}handler:\n  kind: script\n  command: ./scripts/hooks/${id}.sh\n`,
  [`project/scripts/hooks/${id}.sh`]: "#!/bin/sh\n",
});
const scope = (ability: string) => `match:\n  ability_scope: "${ability}"\n`;
const PATHS = "match:\n  only_if_changed_paths:\n    - services/**\n    - apps/**\n";

test("every hook has its event, its switch, whether it blocks, and what it runs for", async () => {
  const machine = new Machine({
    ...hook("skill_activation_prompt", "PromptSubmit", true),
    ...hook("prod_config_guard", "PreAbilityCall", true, scope("edit_file")),
    ...hook("ability_usage_tracker", "PostAbilityCall", false, scope("*")),
    ...hook("session_stop_build_check", "SessionStop", false, PATHS),
  });
  await machine.run(["trust", "--yes"]);
  const { code, stdout } = await machine.run(["list"]);
  expect(code).toBe(0);
  const [head, ...rows] = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(/ {2,}/).slice(0, 5));
  expect(head).toEqual(["id", "event_type", "enabled", "blocking", "match_summary"]);
  expect(rows.toSorted()).toEqual([
    ["ability_usage_tracker", "PostAbilityCall", "true", "false", "ability=*"],
    ["prod_config_guard", "PreAbilityCall", "true", "true", "ability=edit_file"],
    ["session_stop_build_check", "SessionStop", "true", "false", "paths=services/**,apps/**"],
    ["skill_activation_prompt", "PromptSubmit", "true", "true", "all"],
  ]);
});
