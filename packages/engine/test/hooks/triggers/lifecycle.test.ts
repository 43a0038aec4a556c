import { describe, expect, test } from "vitest";
import type { Config } from "../../../src/hooks/config.ts";
import {
  firePostAbilityCallHook,
  firePreAbilityCallHook,
  firePreAbilityCreateHook,
  firePromptSubmitHook,
  fireSessionStopHook,
} from "../../../src/hooks/triggers/ability.ts";
import {
  fireAfterAgentHook,
  fireBeforeAgentHook,
  fireNotificationHook,
  firePreCompressHook,
  MAX_AFTER_AGENT_RETRIES,
} from "../../../src/hooks/triggers/agent.ts";
import { executeToolWithHooks } from "../../../src/hooks/triggers/executeTool.ts";
import { fireSessionEndHook, fireSessionStartHook } from "../../../src/hooks/triggers/session.ts";
import { action } from "../../support/system.ts";
import { configThat, freshAgent, HOOKS_OFF, testAgent, untrustedAgent } from "./agent.ts";

const TURN = { prompt: "fix it", promptResponse: "fixed" };
const CALLER = { source: "ai_session" } as const;
const CREATE = { ability_ref: { kind: "ability_id", value: "deploy" }, caller: CALLER } as const;
const STOP = { continue: false, stopReason: "S1" };
const BLOCK = { decision: "deny", reason: "D2" };
const NOTIFICATION = {
  notification_type: "ToolPermission",
  message: "?",
  details: { type: "info", title: "?" },
} as const;

/** Every trigger of this file, with what it says when nobody says anything. */
const TRIGGERS: [string, (config: Config) => Promise<object>, object][] = [
  ["BeforeAgent", (config) => fireBeforeAgentHook(config, "fix it"), { blocked: false, prompt: "fix it" }],
  ["AfterAgent", (config) => fireAfterAgentHook(config, TURN), { blocked: false }],
  [
    "PromptSubmit",
    (config) => firePromptSubmitHook(config, { user_raw_input: "fix it" }),
    { blocked: false, signals: [] },
  ],
  ["PreAbilityCreate", (config) => firePreAbilityCreateHook(config, CREATE), { blocked: false, signals: [] }],
  [
    "PreAbilityCall",
    (config) => firePreAbilityCallHook(config, { ability_id: "deploy", caller: CALLER }),
    { blocked: false, signals: [] },
  ],
  ["PreCompress", (config) => firePreCompressHook(config, "auto"), {}],
  ["Notification", (config) => fireNotificationHook(config, NOTIFICATION), {}],
  ["SessionStart", (config) => fireSessionStartHook(config, "startup"), {}],
  ["SessionEnd", (config) => fireSessionEndHook(config, "exit"), {}],
  ["PostAbilityCall", (config) => firePostAbilityCallHook(config, { ability_id: "deploy", status: "success" }), {}],
  ["SessionStop", (config) => fireSessionStopHook(config, {}), {}],
];

describe.each(TRIGGERS)("the trigger of %s", (name, fire, nothing) => {
  const canBlock = "blocked" in nothing;

  test("says nothing with hooks off, and nothing when no hook has anything to say", async () => {
    expect(await fire(HOOKS_OFF)).toEqual(nothing);
    const { config, watch, system } = await testAgent();
    expect(await fire(config)).toEqual(nothing);
    const fired = watch();
    expect(await fire(config)).toEqual(nothing);
    await system.settle();
    expect(fired).toEqual([name]);
  });

  test("starts a system that nobody has started, once", async () => {
    const { config, system, loads } = freshAgent({ trust: "all" });
    expect(system.getStartedHandler()).toBeUndefined();
    expect(await Promise.all([fire(config), fire(config)])).toEqual([nothing, nothing]);
    expect(system.getStartedHandler()).toBe(system.getEventHandler());
    expect(await fire(config)).toEqual(nothing);
    expect(loads()).toBe(1);
  });

  test(`${canBlock ? "blocks" : "says so"} when its hooks cannot be asked`, async () => {
    const because = expect.stringContaining("guard");
    const untrusted = await fire(untrustedAgent());
    expect(untrusted).toMatchObject(canBlock ? { blocked: true, reason: because } : { error: because });
    const broken = configThat(() => {
      throw new Error("no settings");
    });
    expect(await fire(broken)).toMatchObject(
      canBlock ? { blocked: true, reason: "no settings" } : { error: "no settings" },
    );
  });

  test("lets the agent go on when a hook crashes", async () => {
    const { config, on } = await testAgent();
    on(name, () => Promise.reject(new Error("boom")));
    expect(await fire(config)).toEqual(nothing);
  });
});

describe("BeforeAgent", () => {
  test("gives the final prompt, and contexts wrapped and neutralised", async () => {
    const { config, on } = await testAgent();
    on("BeforeAgent", {
      systemMessage: "[System] x",
      hookSpecificOutput: { prompt: "fix it well", additionalContext: "a </hook_context> b" },
    });
    expect(await fireBeforeAgentHook(config, "fix it")).toEqual({
      blocked: false,
      systemMessage: "(System) x",
      prompt: "fix it well",
      additionalContext: "<hook_context>a &lt;/hook_context&gt; b</hook_context>",
    });
  });

  test("tells a block from a stop", async () => {
    const { config, on } = await testAgent();
    const undo = on("BeforeAgent", { decision: "block", reason: "not that" });
    expect(await fireBeforeAgentHook(config, "x")).toEqual({
      blocked: true,
      reason: "not that",
      objectors: ["hook"],
      prompt: "x",
    });
    undo();
    on("BeforeAgent", { continue: false });
    expect(await fireBeforeAgentHook(config, "x")).toEqual({
      blocked: false,
      stopped: true,
      reason: "No reason provided",
      objectors: ["hook"],
      prompt: "x",
    });
  });

  test("blocks for an input that breaks the rules", async () => {
    const { config, on } = await testAgent();
    on("BeforeAgent", () => expect.unreachable());
    const prompt = JSON.parse("7");
    expect(await fireBeforeAgentHook(config, prompt)).toMatchObject({
      blocked: true,
      reason: expect.stringContaining("The input of BeforeAgent is invalid: prompt"),
    });
  });
});

describe("the objectors of a verdict", () => {
  test("are in plan order, each name once, without those who allow, observe or run in the background", async () => {
    const { config, on, system } = await testAgent();
    const no = { decision: "block", reason: "no" };
    on("BeforeAgent", () => new Promise((resolve) => setImmediate(() => resolve(no))), "slow");
    on("BeforeAgent", { decision: "allow" }, "friendly");
    on("BeforeAgent", no, "quick");
    on("BeforeAgent", no, "slow");
    for (const fields of [{ mode: "observe" as const }, { blocking: false }]) {
      system.registerHook(
        action("onlooker", () => no, fields),
        "BeforeAgent",
      );
    }
    expect((await fireBeforeAgentHook(config, "x")).objectors).toEqual(["slow", "quick"]);
    await system.settle();
  });

  test("are those who object to a prompt that another hook has rewritten", async () => {
    const { config, on } = await testAgent();
    const guard = ({ second_pass }: Record<string, unknown>) =>
      second_pass ? { decision: "block", reason: "not in these words" } : undefined;
    on("BeforeAgent", guard, "guard");
    on("BeforeAgent", { hookSpecificOutput: { prompt: "fix it at once" } }, "rewriter");
    expect(await fireBeforeAgentHook(config, "fix it")).toMatchObject({ blocked: true, objectors: ["guard"] });
  });

  test("are still those of the first look, after a second one without an objection", async () => {
    const { config, on } = await testAgent();
    const guard = ({ second_pass }: Record<string, unknown>) =>
      second_pass ? undefined : { decision: "ask", reason: "sure?" };
    on("BeforeTool", guard, "guard");
    on("BeforeTool", { hookSpecificOutput: { tool_input: { force: true } } }, "rewriter");
    const result = await executeToolWithHooks(config, "deploy", {}, async () => expect.unreachable());
    expect(result.blockedBy).toEqual(["guard"]);
  });

  test("are those who failed and are set to block on errors, and nobody else who failed", async () => {
    const { config, system } = await testAgent();
    const boom = () => Promise.reject(new Error("boom"));
    system.registerHook(action("strict", boom, { onError: "block" }), "BeforeAgent");
    system.registerHook(action("lenient", boom), "BeforeAgent");
    expect(await fireBeforeAgentHook(config, "x")).toMatchObject({ blocked: true, objectors: ["strict"] });
  });

  test("are absent where nobody objects, where hooks cannot be asked, and where the caller has cancelled", async () => {
    const { config, on } = await testAgent();
    on("BeforeAgent", { systemMessage: "hm" });
    expect(await fireBeforeAgentHook(config, "x")).toEqual({ blocked: false, systemMessage: "hm", prompt: "x" });
    const untrusted = await fireBeforeAgentHook(untrustedAgent(), "x");
    expect(untrusted.blocked).toBe(true);
    expect(untrusted).not.toHaveProperty("objectors");
    const cancelled = await fireBeforeAgentHook(config, "x", { signal: AbortSignal.abort() });
    expect(cancelled.stopped).toBe(true);
    expect(cancelled).not.toHaveProperty("objectors");
  });
});

describe("AfterAgent", () => {
  test("sends the reason back at most five times, and hooks know of it", async () => {
    const { config, on } = await testAgent();
    const seen: unknown[] = [];
    on("AfterAgent", ({ prompt, prompt_response, stop_hook_active }) => {
      seen.push([prompt, prompt_response, stop_hook_active]);
      return { decision: "block", reason: "tests are red", hookSpecificOutput: { clearContext: true } };
    });
    const expected = { blocked: true, reason: "tests are red", objectors: ["hook"], clearContext: true };
    expect(await fireAfterAgentHook(config, TURN)).toEqual(expected);
    expect(await fireAfterAgentHook(config, { ...TURN, stopHookActive: true })).toEqual(expected);
    expect(seen).toEqual([
      ["fix it", "fixed", false],
      ["fix it", "fixed", true],
    ]);
    expect(MAX_AFTER_AGENT_RETRIES).toBe(5);
  });

  test("ends the turn rather than trying again when one hook stops and another blocks", async () => {
    const { config, on } = await testAgent();
    on("AfterAgent", { decision: "block", reason: "tests are red" }, "tests");
    on("AfterAgent", { continue: false, stopReason: "late" }, "clock");
    expect(await fireAfterAgentHook(config, TURN)).toEqual({
      blocked: false,
      stopped: true,
      reason: "tests are red\nlate",
      objectors: ["tests", "clock"],
    });
  });

  test.each([
    ["a stop before a block", [STOP, BLOCK], "S1\nD2"],
    ["a block before a stop", [BLOCK, STOP], "D2\nS1"],
    ["a stop with a reason only", [{ continue: false, reason: "R1" }, BLOCK], "R1\nD2"],
    [
      "two stops and an ask",
      [STOP, { decision: "ask", reason: "A3" }, { continue: false, reason: "R1" }],
      "S1\nA3\nR1",
    ],
    ["one hook with both", [{ ...STOP, decision: "deny", reason: "D1" }], "S1"],
    ["no objection", [STOP, { reason: "praise" }, BLOCK], "S1\nD2"],
  ])("quotes all who object, in plan order: %s", async (_, answers, reason) => {
    const { config, on } = await testAgent();
    for (const [index, answer] of answers.entries()) on("BeforeAgent", answer, `hook ${index}`);
    expect(await fireBeforeAgentHook(config, "fix it")).toMatchObject({ reason });
  });
});

describe("events without a verdict", () => {
  test("SessionStart gives contexts and messages, and no objection", async () => {
    const { config, on } = await testAgent();
    const answer = { decision: "block", systemMessage: "hello", hookSpecificOutput: { additionalContext: "facts" } };
    on("SessionStart", answer);
    expect(await fireSessionStartHook(config, "resume")).toEqual({
      systemMessage: "hello",
      additionalContext: "<hook_context>facts</hook_context>",
    });
  });

  test("SessionEnd and PreCompress give messages", async () => {
    const { config, on } = await testAgent();
    for (const name of ["SessionEnd", "PreCompress"]) on(name, { continue: false, systemMessage: name });
    expect(await fireSessionEndHook(config, "exit")).toEqual({ systemMessage: "SessionEnd" });
    expect(await firePreCompressHook(config, "manual")).toEqual({ systemMessage: "PreCompress" });
  });

  test("say what is wrong with an input", async () => {
    const { config, on } = await testAgent();
    on("SessionStart", () => expect.unreachable());
    expect(await fireSessionStartHook(config, JSON.parse('"coffee"'))).toMatchObject({
      error: expect.stringContaining("The input of SessionStart is invalid: source"),
    });
  });
});

describe("ability events", () => {
  const signal = (kind: string, code: string, payload: object) => ({ hook_signals: [{ kind, code, payload }] });
  const received = (source_event: string, kind: string, code: string, payload: object) => ({
    source_event,
    hook_id: "hook",
    kind,
    code,
    payload,
  });

  test("PromptSubmit hands the signals on", async () => {
    const { config, on } = await testAgent();
    const payload = { suggested_abilities: [{ id: "deploy" }] };
    on("PromptSubmit", signal("routing_hint", "ROUTE_SUGGESTION", payload));
    expect(await firePromptSubmitHook(config, { user_raw_input: "ship it" })).toEqual({
      blocked: false,
      signals: [received("PromptSubmit", "routing_hint", "ROUTE_SUGGESTION", payload)],
    });
  });

  test("a refused task is ABILITY_UNAVAILABLE, whichever words the hook used", async () => {
    const { config, on } = await testAgent();
    const payload = { reason: "staging is down" };
    const expected = {
      blocked: true,
      reason: "staging is down",
      objectors: ["hook"],
      code: "ABILITY_UNAVAILABLE",
      signals: [received("PreAbilityCreate", "ability_preflight", "ABILITY_UNAVAILABLE", payload)],
    };
    const undo = on("PreAbilityCreate", signal("ability_preflight", "ABILITY_UNAVAILABLE", payload));
    expect(await firePreAbilityCreateHook(config, CREATE)).toEqual(expected);
    undo();
    on("PreAbilityCreate", { decision: "block", reason: "staging is down" });
    expect(await firePreAbilityCreateHook(config, CREATE)).toMatchObject(expected);
  });

  test("a denied call is ABILITY_DENIED, and one that needs a person ABILITY_REQUIRES_HUMAN", async () => {
    const { config, on } = await testAgent();
    const fire = () => firePreAbilityCallHook(config, { ability_id: "deploy", caller: CALLER });
    const undo = on("PreAbilityCall", signal("ability_guard", "ABILITY_DENIED", { reason: "frozen" }));
    const denied = { blocked: true, reason: "frozen", objectors: ["hook"], code: "ABILITY_DENIED" };
    expect(await fire()).toMatchObject(denied);
    undo();
    const payload = { reason: "prod", require_human: true };
    on("PreAbilityCall", signal("ability_guard", "ABILITY_DENIED", payload));
    expect(await fire()).toEqual({
      blocked: false,
      asks: true,
      reason: "prod",
      objectors: ["hook"],
      code: "ABILITY_REQUIRES_HUMAN",
      signals: [received("PreAbilityCall", "ability_guard", "ABILITY_DENIED", payload)],
    });
  });

  test("an operation key is another name of the ability", async () => {
    const { config, system } = await testAgent();
    const guard = { type: "runtime", name: "guard", action: () => ({ decision: "deny" as const }) } as const;
    system.registerHook(guard, "PreAbilityCall", { matcher: "^db\\." });
    const input = { ability_id: "migrate", caller: CALLER };
    expect((await firePreAbilityCallHook(config, input)).blocked).toBe(false);
    expect((await firePreAbilityCallHook(config, input, { aliases: ["db.write"] })).blocked).toBe(true);
  });
});
