import { describe, expect, test } from "vitest";
import {
  DefaultHookOutput,
  HookAggregator,
  HookEventHandler,
  HookEventName,
  type HookExecutionResult,
  HookPlanner,
  HookRegistry,
  HookRunner,
  HookSystem,
} from "../../src/components/index.ts";
import { HookRegistryNotInitializedError } from "../../src/hooks/plan/hookRegistry.ts";
import { action, commandHook, testSystem } from "../support/system.ts";

const SETTINGS = {
  BeforeTool: [
    {
      matcher: "EditTool|WriteFileTool",
      sequential: true,
      hooks: [
        { type: "command", command: 'cat > /dev/null; echo \'{"decision":"block","reason":"no"}\'', timeout: 30 },
      ],
    },
  ],
  AfterTool: [{ matcher: "*", hooks: [{ type: "command", command: "true" }] }],
};

const { command } = SETTINGS.BeforeTool[0]?.hooks[0] ?? { command: "" };
const INPUT = {
  session_id: "s",
  transcript_path: "",
  cwd: "/tmp",
  hook_event_name: "BeforeTool",
  timestamp: new Date(0).toISOString(),
  tool_name: "EditTool",
  tool_input: { file_path: "a.txt" },
};

describe("HookRegistry", () => {
  test("loads the hooks of a config once it is initialized", async () => {
    const { config } = await testSystem(SETTINGS);
    const registry = new HookRegistry(config);
    expect(() => registry.getAllHooks()).toThrow(HookRegistryNotInitializedError);
    await registry.initialize();
    expect(registry.getAllHooks()).toMatchObject([
      {
        config: { type: "command", command, timeout: 30 },
        source: "project",
        eventName: "BeforeTool",
        matcher: "EditTool|WriteFileTool",
        sequential: true,
        enabled: true,
      },
      { config: { type: "command", command: "true" }, eventName: "AfterTool", sequential: false, enabled: true },
    ]);
    expect(registry.getAllHooks()[1]?.config).not.toHaveProperty("timeout");
  });

  test("says what a config without a hook system lacks", async () => {
    const { config } = await testSystem(SETTINGS);
    const { getHookSystem: _absent, ...rest } = config;
    const refusal = { code: "OPTION_INVALID", what: expect.stringContaining("no getHookSystem()") };
    await expect(new HookRegistry(rest as never).initialize()).rejects.toMatchObject(refusal);
    await expect(new HookRunner(rest as never).executeHooksParallel([], "BeforeTool", INPUT)).rejects.toMatchObject(
      refusal,
    );
  });

  test("an event without definitions is like one that is not there", async () => {
    const { system } = await testSystem({ ...SETTINGS, AfterTool: undefined });
    expect(system.getStatus().problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(system.getRegistry().getAllHooks()).toHaveLength(1);
  });

  test("is the registry of the config's hook system: a hook that is disabled here does not run there", async () => {
    const { config, handler } = await testSystem(commandHook("BeforeTool", "exit 2", { name: "guard" }));
    const registry = new HookRegistry(config);
    await registry.initialize();
    registry.setHookEnabled("guard", false);
    expect((await handler.fireBeforeToolEvent("glob", {})).finalOutput).toBeUndefined();
  });

  test("lists for an event what may run, and among all hooks everything", async () => {
    const { system } = await testSystem({
      BeforeTool: [
        { hooks: [{ type: "command", name: "on", command: "true" }] },
        { hooks: [{ type: "command", name: "off", command: "true" }] },
        { hooks: [{ type: "command", name: "broken", command: "./missing.sh" }] },
        { hooks: [{ type: "command", name: "guard", command: "./missing.sh", onError: "block" }] },
      ],
    });
    const registry = system.getRegistry();
    registry.setHookEnabled("off", false);
    const names = (entries: ReturnType<HookRegistry["getAllHooks"]>) => entries.map(({ config }) => config.name);
    // A guard that blocks on errors runs into its error, and blocks.
    expect(names(registry.getHooksForEvent("BeforeTool"))).toEqual(["on", "guard"]);
    expect(names(registry.getAllHooks())).toEqual(["on", "off", "broken", "guard"]);
  });
});

describe("HookPlanner", () => {
  const plannerOf = async () => {
    const { config } = await testSystem({
      ...SETTINGS,
      SessionStart: [{ matcher: "startup|resume", hooks: [{ type: "command", command: "true" }] }],
    });
    const registry = new HookRegistry(config);
    await registry.initialize();
    return new HookPlanner(registry);
  };

  test("plans by tool name, with the definitions of the hooks", async () => {
    const planner = await plannerOf();
    expect(planner.createExecutionPlan(HookEventName.BeforeTool, { toolName: "EditTool" })).toMatchObject({
      eventName: "BeforeTool",
      hookConfigs: [{ type: "command", command, timeout: 30 }],
      sequential: true,
    });
    expect(planner.createExecutionPlan(HookEventName.BeforeTool, { toolName: "read_file" })).toBeNull();
    expect(planner.createExecutionPlan(HookEventName.BeforeTool)?.hookConfigs).toHaveLength(1);
  });

  test("a plan of hooks that are off runs nothing, and names them", async () => {
    const { config } = await testSystem(SETTINGS);
    const registry = new HookRegistry(config);
    await registry.initialize();
    registry.setHookEnabled(command, false);
    expect(new HookPlanner(registry).createExecutionPlan("BeforeTool", { toolName: "EditTool" })).toMatchObject({
      hookConfigs: [],
      skipped: [{ entry: { enabled: false }, reason: "it was disabled in this session" }],
    });
  });

  test("plans by trigger, in any case", async () => {
    const planner = await plannerOf();
    expect(planner.createExecutionPlan("SessionStart", { trigger: "Startup" })?.hookConfigs).toHaveLength(1);
    expect(planner.createExecutionPlan("SessionStart", { trigger: "Clear" })).toBeNull();
  });
});

describe("from plan to result", () => {
  const parts = async (hooks = {}) => {
    const started = await testSystem(hooks);
    const registry = new HookRegistry(started.config);
    await registry.initialize();
    return { ...started, planner: new HookPlanner(registry), runner: new HookRunner(started.config) };
  };

  test("a plan is run in order and its results are merged", async () => {
    const { planner, runner } = await parts(SETTINGS);
    const plan = planner.createExecutionPlan("BeforeTool", { toolName: "EditTool" });
    const results = await runner.executeHooksSequential(plan?.hookConfigs ?? [], "BeforeTool", INPUT);
    expect(results).toMatchObject([
      {
        hookConfig: { command },
        success: true,
        output: { decision: "block" },
        exitCode: 0,
        stderr: "",
        error: undefined,
      },
    ]);
    expect(results[0]?.hookConfig).toBe(plan?.hookConfigs[0]);
    expect(results[0]?.stdout).toContain('"decision":"block"');
    const { finalOutput, success } = new HookAggregator().aggregateResults(results, "BeforeTool");
    expect(success).toBe(true);
    expect(finalOutput?.isBlockingDecision()).toBe(true);
    expect(finalOutput?.getEffectiveReason()).toBe("no");
  });

  test("each hook of a chain sees what the one before changed", async () => {
    const { system, planner, runner } = await parts();
    const seen: unknown[] = [];
    const set = (name: string) =>
      action(name, (input) => {
        seen.push(input.tool_input);
        return { hookSpecificOutput: { tool_input: { by: name } } };
      });
    system.registerHook(set("a"), "BeforeTool", { sequential: true });
    system.registerHook(set("b"), "BeforeTool");
    const { hookConfigs = [] } = planner.createExecutionPlan("BeforeTool", { toolName: "glob" }) ?? {};
    const results = await runner.executeHooksSequential(hookConfigs, "BeforeTool", INPUT);
    expect(seen).toEqual([{ file_path: "a.txt" }, { file_path: "a.txt", by: "a" }]);
    const { finalOutput } = new HookAggregator().aggregateResults(results, "BeforeTool");
    expect(finalOutput?.hookSpecificOutput).toEqual({ tool_input: { by: "b" } });
  });

  test("a failure has its exit code, its streams and an error", async () => {
    const { planner, runner } = await parts(
      commandHook("BeforeTool", "echo out; echo wrong >&2; exit 3", { name: "bad" }),
    );
    const { hookConfigs = [] } = planner.createExecutionPlan("BeforeTool", { toolName: "glob" }) ?? {};
    const [result] = await runner.executeHooksParallel(hookConfigs, "BeforeTool", INPUT);
    expect(result).toMatchObject({ success: false, stdout: "out\n", stderr: "wrong\n", exitCode: 3 });
    expect(result?.error?.message).toContain('Hook "bad"');
    expect(new HookAggregator().aggregateResults(result ? [result] : [], "BeforeTool")).toMatchObject({
      success: false,
      errors: [{ code: "HOOK_FAILED" }],
    });
  });

  test("the runner runs only what was planned", async () => {
    const { runner } = await parts();
    const run = runner.executeHook({ type: "command", command: "true" }, "BeforeTool", INPUT);
    await expect(run).rejects.toMatchObject({ code: "HOOK_UNKNOWN" });
  });
});

describe("HookAggregator", () => {
  const hookConfig = { type: "command", command: "./check.sh" };
  const ran = { hookConfig, eventName: "BeforeTool", success: true, duration: 1 };

  test("merges results that were written by hand", () => {
    const merged = new HookAggregator().aggregateResults(
      [
        { ...ran, output: { decision: "allow", systemMessage: "fine" } },
        { ...ran, output: { decision: "deny", reason: "protected" } },
        { ...ran, success: false, exitCode: 2, stderr: "stop here" },
        { ...ran, success: false, error: new Error("crashed") },
      ],
      "BeforeTool",
    );
    expect(merged).toMatchObject({
      success: false,
      totalDuration: 4,
      errors: [{ code: "HOOK_FAILED", hook: "./check.sh" }],
      finalOutput: { decision: "block", reason: "protected\nstop here", systemMessage: "fine" },
    });
  });

  test("keeps the objection of a hook that failed", () => {
    const failed = {
      ...ran,
      success: false,
      error: new Error("timed out"),
      output: { decision: "block", reason: "no" },
    };
    expect(new HookAggregator().aggregateResults([failed], "BeforeTool")).toMatchObject({
      success: false,
      finalOutput: { decision: "block", reason: "no" },
    });
  });

  const DENY = { decision: "deny", reason: "no" };
  test.each([
    ["an output beside nothing printed", { exitCode: 0, stdout: "", output: DENY }],
    ["an output beside a log", { exitCode: 0, stdout: "checking", stderr: "x", output: DENY }],
    ["the output of a hook that failed and printed nothing", { success: false, exitCode: 1, stdout: "", output: DENY }],
    ["the output of a hook that was killed", { success: false, stdout: "", error: new Error("killed"), output: DENY }],
    ["a printed text beside an output", { exitCode: 0, stdout: JSON.stringify(DENY), output: { decision: "allow" } }],
    ["a printed text beside the output alone", { stdout: JSON.stringify(DENY), output: { decision: "allow" } }],
  ])("hears the objection of %s", (_, summary) => {
    const { finalOutput } = new HookAggregator().aggregateResults([{ ...ran, ...summary }], "BeforeTool");
    expect(finalOutput).toMatchObject({ decision: "block", reason: "no" });
  });

  const COPIES: readonly [string, (result: HookExecutionResult) => HookExecutionResult][] = [
    ["by spreading", (result) => ({ ...result })],
    ["as JSON", (result) => JSON.parse(JSON.stringify(result))],
  ];
  const COPIED: readonly [string, Record<string, unknown>][] = [
    ["denies", { command: 'echo \'{"decision":"deny","reason":"no"}\'' }],
    ["exits with 2", { command: "echo stop here >&2; exit 2" }],
    ["fails", { command: "echo wrong >&2; exit 3" }],
    ["is killed", { command: "kill -9 $$" }],
    ["is a guard that fails", { command: "exit 3", onError: "block" }],
    ["times out as a guard", { command: "sleep 60", onError: "block", timeout: "50ms" }],
    ["prints an objection among other text", { command: 'echo log; echo \'{"decision":"deny"}\'; echo end' }],
    ["cannot be started, as a guard", { command: "./missing.sh", onError: "block" }],
  ];
  describe.each(COPIES)("takes a result that was copied %s, of a hook that", (_way, copy) => {
    test.each(COPIED)("%s", async (_what, hook) => {
      const { config } = await testSystem({ BeforeTool: [{ hooks: [{ type: "command", name: "guard", ...hook }] }] });
      const registry = new HookRegistry(config);
      await registry.initialize();
      const { hookConfigs = [] } = new HookPlanner(registry).createExecutionPlan("BeforeTool") ?? {};
      const results = await new HookRunner(config).executeHooksParallel(hookConfigs, "BeforeTool", INPUT);
      const { results: _own, ...expected } = new HookAggregator().aggregateResults(results, "BeforeTool");
      const copies = results.map(copy);
      expect(copies).toMatchObject([{ hookConfig: { name: "guard" }, success: results[0]?.success }]);
      expect(new HookAggregator().aggregateResults(copies, "BeforeTool")).toMatchObject(expected);
    });

    test("is a function that denies", async () => {
      const { config, system } = await testSystem();
      system.registerHook(
        action("guard", () => ({ decision: "deny", reason: "no" })),
        "BeforeTool",
      );
      const { hookConfigs = [] } = system.getPlanner().createExecutionPlan("BeforeTool") ?? {};
      const results = await new HookRunner(config).executeHooksParallel(hookConfigs, "BeforeTool", INPUT);
      const { finalOutput } = new HookAggregator().aggregateResults(results.map(copy), "BeforeTool");
      expect(finalOutput).toMatchObject({ decision: "block", reason: "no" });
    });
  });

  test("a copy keeps its streams, its exit code and the message of its error", async () => {
    const { config, system } = await testSystem(commandHook("BeforeTool", "echo out; echo wrong >&2; exit 3"));
    const { hookConfigs = [] } = system.getPlanner().createExecutionPlan("BeforeTool") ?? {};
    const [result] = await new HookRunner(config).executeHooksParallel(hookConfigs, "BeforeTool", INPUT);
    const kept = { stdout: "out\n", stderr: "wrong\n", exitCode: 3, error: { message: result?.error?.message } };
    expect({ ...result }).toMatchObject(kept);
    expect(JSON.parse(JSON.stringify(result))).toMatchObject(kept);
    expect(kept.error.message).toContain("Hook ");
  });

  test("an objection that a copy was given afterwards counts", async () => {
    const { config, system } = await testSystem(commandHook("BeforeTool", 'echo \'{"decision":"allow"}\''));
    const { hookConfigs = [] } = system.getPlanner().createExecutionPlan("BeforeTool") ?? {};
    const [result] = await new HookRunner(config).executeHooksParallel(hookConfigs, "BeforeTool", INPUT);
    const changed = result ? [{ ...result, output: { decision: "deny", reason: "no" } }] : [];
    const { finalOutput } = new HookAggregator().aggregateResults(changed, "BeforeTool");
    expect(finalOutput).toMatchObject({ decision: "block", reason: "no" });
  });

  test("a failure written by hand blocks where its hook says so", () => {
    const failed = { ...ran, hookConfig: { ...hookConfig, onError: "block" }, success: false, exitCode: 1 } as const;
    const { finalOutput, success } = new HookAggregator().aggregateResults([failed], "BeforeTool");
    expect({ success, decision: finalOutput?.decision }).toEqual({ success: false, decision: "block" });
  });

  test("nothing to merge is an empty success", () => {
    const empty = { success: true, allOutputs: [], errors: [], totalDuration: 0 };
    expect(new HookAggregator().aggregateResults([], "BeforeTool")).toMatchObject(empty);
  });
});

test("a HookEventHandler made from its parts starts the system and fires events", async () => {
  const { config } = await testSystem(SETTINGS);
  const registry = new HookRegistry(config);
  const handler = new HookEventHandler(config, new HookPlanner(registry), new HookRunner(config), new HookAggregator());
  const { finalOutput } = await handler.fireBeforeToolEvent("EditTool", { file_path: "a.txt" });
  expect(finalOutput).toBeInstanceOf(DefaultHookOutput);
  expect(finalOutput?.getBlockingError()).toEqual({ blocked: true, reason: "no" });
});

describe("a HookEventHandler", () => {
  test("is also what a hook system hands out", async () => {
    const { config, system } = await testSystem(SETTINGS);
    const handlers: HookEventHandler[] = [system.getEventHandler(), new HookEventHandler(config)];
    for (const handler of handlers) expect(handler).toBeInstanceOf(HookEventHandler);
    for (const other of [system, {}, null, { fire: () => {} }]) expect(other).not.toBeInstanceOf(HookEventHandler);
    class Own extends HookEventHandler {}
    expect(new Own(config)).toBeInstanceOf(Own);
    for (const other of handlers) expect(other).not.toBeInstanceOf(Own);
  });

  test("gives the empty result where hooks are off", async () => {
    const { config } = await testSystem(SETTINGS);
    const handler = new HookEventHandler({ ...config, getHookSystem: () => undefined });
    const empty = { success: true, allOutputs: [], errors: [], totalDuration: 0 };
    const results = [
      await handler.fireBeforeToolEvent("EditTool", { file_path: "a.txt" }),
      await handler.fire("BeforeTool", { tool_name: "EditTool" }),
    ];
    expect(results).toMatchObject([empty, empty]);
    expect(results.map(({ finalOutput }) => finalOutput)).toEqual([undefined, undefined]);
  });

  test("rejects where the project's hooks are not trusted: nothing was asked", async () => {
    const { config } = await testSystem();
    const system = new HookSystem({ ...config, getHooks: () => SETTINGS }, { homeDir: config.getWorkingDir() });
    const handler = new HookEventHandler({ ...config, getHookSystem: () => system });
    const fired = handler.fireBeforeToolEvent("EditTool", { file_path: "a.txt" });
    await expect(fired).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  });
});

test("a tool's response may leave out what the person is shown", async () => {
  const { handler } = await testSystem(commandHook("AfterTool", "true"));
  expect(await handler.fireAfterToolEvent("glob", {}, { llmContent: "a.txt" })).toMatchObject({
    success: true,
    errors: [],
  });
});
