// The examples of "Hooks for AI-Centric Development": the YAML files of section 5, and the contexts, results and signals of section 3.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collectHookSignals } from "../../src/hooks/hookRunResult.ts";
import { project, script } from "./project.ts";

const yaml = (id: string, event: string, blocking: boolean, rest: string) =>
  `id: ${id}\nevent_type: ${event}\nenabled: true\nblocking: ${blocking}\nsummary: >\n  what it is for\n${rest}
handler:\n  kind: script\n  command: ./scripts/hooks/${id}.py\neffects:\n  - describes_itself\n`;
const hook = (
  id: string,
  event: string,
  blocking: boolean,
  { match = "", body }: { match?: string; body: string },
) => ({
  [`.system/hooks/${id}.yaml`]: yaml(id, event, blocking, match),
  [`scripts/hooks/${id}.py`]: script(body),
});
const caller = { source: "ai_session" };
const FOR_ALL = 'match:\n  ability_scope: "*"';

test("a router suggests abilities and documents before planning", async () => {
  const payload = {
    suggested_abilities: [{ id: "signup_e2e_test", reason: "asked for", confidence: 0.91 }],
    suggested_documents: [{ path: "docs/ROUTING.md", reason: "several modules" }],
  };
  const body = `return { logs: ["routed " + input.user_raw_input], usage_recorded: true, hook_signals: [
    { source_event: "PromptSubmit", hook_id: "prompt_router", kind: "routing_hint", code: "ROUTE_SUGGESTION", payload: ${JSON.stringify(payload)} },
    { kind: "normalized_intent", code: "INTENT", payload: { topic: "signup" } }] };`;
  const { system } = await project(hook("prompt_router", "PromptSubmit", true, { body }));
  const context = { event_type: "PromptSubmit", session_id: "s", user_raw_input: "test signup" };
  const results = await system.runHooks("PromptSubmit", context, { blockingOnly: true });
  expect(results).toMatchObject([{ hook_id: "prompt_router", status: "success", logs: ["routed test signup"] }]);
  expect(collectHookSignals(results)).toEqual([
    { source_event: "PromptSubmit", hook_id: "prompt_router", kind: "routing_hint", code: "ROUTE_SUGGESTION", payload },
    {
      source_event: "PromptSubmit",
      hook_id: "prompt_router",
      kind: "normalized_intent",
      code: "INTENT",
      payload: { topic: "signup" },
    },
  ]);
});

describe("a preflight check", () => {
  const body = `
    const denied = input.environment === "prod";
    return { hook_signals: [{ kind: "ability_preflight", code: denied ? "ABILITY_UNAVAILABLE" : "ABILITY_AVAILABLE",
      severity: denied ? "error" : "info",
      payload: { ability_ref: input.ability_ref, reason: "not in prod", suggestion: "use staging" } }] };`;
  const files = hook("nonprod_availability_check", "PreAbilityCreate", true, { match: FOR_ALL, body });
  const ability_ref = { kind: "operation_key", value: "db.write.user_row" } as const;

  test.each([
    ["prod", "block", "ABILITY_UNAVAILABLE"],
    ["dev", "allow", "ABILITY_AVAILABLE"],
  ])("in %s: %s", async (environment, decision, code) => {
    const { handler } = await project(files);
    const context = { ability_ref, environment, caller: { source: "ci_pipeline" as const } };
    const { finalOutput } = await handler.firePreAbilityCreateEvent(context);
    expect(finalOutput).toMatchObject({ decision, hook_signals: [{ kind: "ability_preflight", code }] });
    expect(finalOutput?.getSignals()).toMatchObject([{ payload: { ability_ref, suggestion: "use staging" } }]);
  });
});

test("a guard of one ability may deny, or leave it to a human", async () => {
  const body = `return { hook_signals: [{ kind: "ability_guard", code: "ABILITY_DENIED", severity: "error",
    payload: { ability_id: input.ability_id, reason: "prod config", require_human: input.args_summary === "ask" } }] };`;
  const match = 'match:\n  ability_scope: "edit_file"';
  const { handler } = await project(hook("prod_config_guard", "PreAbilityCall", true, { match, body }));
  const call = (ability_id: string, args_summary: string) =>
    handler.firePreAbilityCallEvent({ ability_id, args_summary, caller: { source: "ai_session" } });
  expect((await call("edit_file", "deny")).finalOutput).toMatchObject({ decision: "block", reason: "prod config" });
  expect((await call("edit_file", "ask")).finalOutput).toMatchObject({ decision: "ask", reason: "prod config" });
  expect((await call("read_file", "deny")).finalOutput).toBeUndefined();
});

describe("infra hooks", () => {
  test("a tracker runs after calls that were slow enough, and its signals do not reach the AI", async () => {
    const body = `require("node:fs").appendFileSync("usage.log", input.ability_id + "\\n");
      return { usage_recorded: true, hook_signals: [{ kind: "ability_guard", code: "ABILITY_DENIED", payload: {} }] };`;
    const match = 'match:\n  ability_scope: "*"\n  min_duration_ms: 100';
    const { dir, system } = await project(hook("ability_usage_tracker", "PostAbilityCall", false, { match, body }));
    const call = { event_type: "PostAbilityCall", ability_id: "signup_test", status: "success" };
    const slow = await system.runHooks("PostAbilityCall", { ...call, duration_ms: 250 });
    expect(slow).toMatchObject([{ hook_id: "ability_usage_tracker", status: "success", hook_signals: [] }]);
    expect(await system.runHooks("PostAbilityCall", { ...call, duration_ms: 20 })).toEqual([]);
    expect(readFileSync(join(dir, "usage.log"), "utf8")).toBe("signup_test\n");
  });

  test("a build check runs at the end of a session that changed what it watches", async () => {
    const body = `require("node:fs").writeFileSync("built", input.tasks_summary[0].task_key); return { logs: ["built"] };`;
    const match = 'match:\n  only_if_changed_paths:\n    - "services/**"\n    - "apps/**"';
    const { dir, system } = await project(hook("session_stop_build_check", "SessionStop", false, { match, body }));
    const stop = (changed_files: string[]) => {
      const tasks_summary = [{ task_key: "t1", ability_id: "edit_file", status: "partial" }];
      return system.runHooks("SessionStop", { session_id: "s", changed_files, tasks_summary });
    };
    expect(await stop(["docs/a.md"])).toEqual([]);
    expect(existsSync(join(dir, "built"))).toBe(false);
    expect(await stop(["services/api/main.ts"])).toMatchObject([{ status: "success", logs: ["built"] }]);
    expect(readFileSync(join(dir, "built"), "utf8")).toBe("t1");
  });
});

test("a hook that reports an error failed; whether that stops the call, its declaration says", async () => {
  const body = `return { error: { code: "CONFIG_MISSING", message: "no config" } };`;
  const failing = (rest: string) => hook("check", "PreAbilityCall", true, { match: rest, body });
  const call = { ability_id: "deploy", caller };
  const skipped = await project(failing("on_failure: skip"));
  const results = await skipped.system.runHooks("PreAbilityCall", call, { blockingOnly: true });
  expect(results).toMatchObject([{ status: "failure", error: { message: expect.stringContaining("no config") } }]);
  const fatal = await project(failing("on_failure: fail"));
  const { finalOutput } = await fatal.handler.fire("PreAbilityCall", call);
  expect(finalOutput?.isBlockingDecision()).toBe(true);
});

test("a disabled hook is listed and does not run", async () => {
  const files = hook("prod_config_guard", "PreAbilityCall", true, { body: "process.exit(2)" });
  const path = ".system/hooks/prod_config_guard.yaml";
  const { system } = await project({ ...files, [path]: files[path]?.replace("enabled: true", "enabled: false") ?? "" });
  expect(system.getRegistry().getAllHooks()).toMatchObject([{ config: { name: "prod_config_guard" }, enabled: false }]);
  expect(await system.runHooks("PreAbilityCall", { ability_id: "edit_file", caller })).toEqual([]);
});
