import { describe, expect, test } from "vitest";
import type { HookDefinitions } from "../../../src/hooks/config.ts";
import { mergeDuplicates } from "../../../src/hooks/plan/duplicates.ts";
import { action, commandHook, testSystem } from "../../support/system.ts";

const hook = (name: string, fields: Record<string, unknown> = {}) => ({
  type: "command",
  command: `echo ${name}`,
  name,
  ...fields,
});

/** `name@subject` of every planned hook. */
async function planned(hooks: HookDefinitions, eventName: string, subject?: string) {
  const { system } = await testSystem(hooks);
  const plan = system.getPlanner().createExecutionPlan(eventName, { subject });
  return (
    plan?.hooks.map(({ entry, subject: seen }) =>
      seen === undefined ? entry.config.name : `${entry.config.name}@${seen}`,
    ) ?? null
  );
}

test("no context, also as null, is every subject", async () => {
  const { system } = await testSystem(commandHook("BeforeTool", "true"));
  expect(system.getPlanner().createExecutionPlan("BeforeTool", null)?.hooks).toHaveLength(1);
});

describe("matchers", () => {
  test.each([
    ["absent", undefined, "write_file", ["h@write_file"]],
    ["empty", "", "write_file", ["h@write_file"]],
    ["a star", "*", "write_file", ["h@write_file"]],
    ["unanchored", "file", "write_file", ["h@write_file"]],
    ["another tool", "read_file", "write_file", null],
    ["case-sensitive", "WRITE_FILE", "write_file", null],
    ["an alternation", "glob|write_file", "write_file", ["h@write_file"]],
    ["an alias, seen under that name", "EditTool|WriteFileTool", "write_file", ["h@WriteFileTool"]],
    ["a name matched whole comes before the canonical one", "Edit", "replace", ["h@Edit"]],
    ["no whole match, then the canonical name", "repl|EditT", "replace", ["h@replace"]],
    ["no canonical match, then the first alias", "ditTool|dit_f", "replace", ["h@EditTool"]],
    ["a tool fired under an alias is the same tool", "replace", "EditTool", ["h@replace"]],
    ["an invalid pattern is literal text", "mcp_[", "mcp_[x", ["h@mcp_[x"]],
    ["a tool nobody knows has its own name only", "^mcp_", "mcp_git_push", ["h@mcp_git_push"]],
  ])("%s", async (_name, matcher, tool, expected) => {
    const definition = { hooks: [hook("h")], ...(matcher === undefined ? {} : { matcher }) };
    expect(await planned({ BeforeTool: [definition] }, "BeforeTool", tool)).toEqual(expected);
  });

  test("of triggers are patterns too, whatever the case", async () => {
    const hooks = { SessionStart: [{ matcher: "Startup|resume", hooks: [hook("h")] }] };
    expect(await planned(hooks, "SessionStart", "startup")).toEqual(["h@startup"]);
    expect(await planned(hooks, "SessionStart", "resume")).toEqual(["h@resume"]);
    expect(await planned(hooks, "SessionStart", "clear")).toBeNull();
  });

  test("on an event without subject the hook runs", async () => {
    expect(await planned({ BeforeModel: [{ matcher: "x", hooks: [hook("h")] }] }, "BeforeModel")).toEqual(["h"]);
  });
});

describe("duplicates", () => {
  test("of the same trust, command, env and view run once, with the strictest settings of all", async () => {
    const twice = [
      {
        matcher: "write",
        hooks: [{ type: "command", command: "echo x", name: "first", mode: "observe", timeout: "1s" }],
      },
      {
        matcher: "file",
        hooks: [{ type: "command", command: "echo x", name: "second", onError: "block", timeout: "9s" }],
      },
    ];
    const { system } = await testSystem({ BeforeTool: twice });
    const plan = system.getPlanner().createExecutionPlan("BeforeTool", { subject: "write_file" });
    expect(plan?.hooks).toMatchObject([
      { entry: { config: { name: "first", mode: "enforce", onError: "block", timeoutMs: 9_000, blocking: true } } },
    ]);
    expect(plan?.skipped).toMatchObject([
      { entry: { config: { name: "second" } }, reason: expect.stringContaining("first") },
    ]);
  });

  test("with another env or another view are no duplicates", async () => {
    const hooks = [
      { matcher: "write_file", hooks: [{ type: "command", command: "echo x" }] },
      { matcher: "WriteFileTool", hooks: [{ type: "command", command: "echo x" }] },
      { matcher: "write_file", hooks: [{ type: "command", command: "echo x", env: { A: "1" } }] },
    ];
    expect(await planned({ BeforeTool: hooks }, "BeforeTool", "write_file")).toHaveLength(3);
  });

  test("of different trust are never merged: nobody's copy disarms a guard", async () => {
    const { system } = await testSystem({ BeforeTool: [{ hooks: [hook("h", { mode: "observe" })] }] });
    const run = () => ({});
    system.registerHook(action("h", run), "BeforeTool");
    system.registerHook(action("h", run), "BeforeTool");
    const plan = system.getPlanner().createExecutionPlan("BeforeTool", { subject: "glob" });
    expect(plan?.hooks.map(({ entry }) => entry.source)).toEqual(["runtime", "project"]);
  });
});

describe("plans", () => {
  test("run in the order of their sources, and one sequential group makes the whole plan sequential", async () => {
    const { system } = await testSystem({
      BeforeTool: [{ hooks: [hook("a")] }, { matcher: "glob", sequential: true, hooks: [hook("b")] }],
    });
    system.registerHook(
      action("r", () => ({})),
      "BeforeTool",
    );
    const plan = (subject: string) => system.getPlanner().createExecutionPlan("BeforeTool", { subject });
    expect(plan("glob")).toMatchObject({ sequential: true });
    expect(plan("glob")?.hooks.map(({ entry }) => entry.config.name)).toEqual(["r", "a", "b"]);
    expect(plan("replace")).toMatchObject({ sequential: false });
  });

  test("are kept until a hook comes, goes or is switched", async () => {
    const { system } = await testSystem();
    const names = () =>
      system
        .getPlanner()
        .createExecutionPlan("BeforeTool", { subject: "glob" })
        ?.hooks.map(({ entry }) => entry.config.name) ?? [];
    expect(names()).toEqual([]);
    const undo = system.registerHook(
      action("r", () => ({})),
      "BeforeTool",
    );
    expect(names()).toEqual(["r"]);
    expect(system.getRegistry().setHookEnabled("r", false)).toBe(1);
    expect(names()).toEqual([]);
    system.getRegistry().setHookEnabled("r", true);
    expect(names()).toEqual(["r"]);
    undo();
    expect(names()).toEqual([]);
  });

  test("are made once: the same subject gets the very same plan, and no pattern is compiled again", async () => {
    const { system, handler } = await testSystem({ BeforeTool: [{ matcher: "glob", hooks: [hook("h")] }] });
    const plan = () => system.getPlanner().createExecutionPlan("BeforeTool", { subject: "glob" });
    const first = plan();
    await handler.fireBeforeToolEvent({ tool_name: "glob" });
    await handler.fireBeforeToolEvent({ tool_name: "replace" });
    expect(first?.hooks).toHaveLength(1);
    expect(plan()).toBe(first);
  });

  test("for an unbounded number of subjects take bounded memory", async () => {
    const { system } = await testSystem({ BeforeTool: [{ matcher: "x", hooks: [hook("h")] }] });
    for (let index = 0; index < 5_000; index += 1) {
      expect(system.getPlanner().createExecutionPlan("BeforeTool", { subject: `tool-${index}` })).toBeNull();
    }
  });

  test("say of every other hook of the event why it would not run", async () => {
    const { system } = await testSystem({
      BeforeTool: [{ matcher: "glob", hooks: [hook("g")] }, { hooks: [hook("gone", { command: "./gone.sh" })] }],
    });
    const misses = system.getPlanner().explainMisses("BeforeTool", { subject: "replace" });
    expect(misses.map(({ entry, reason }) => `${entry.config.name}: ${reason}`)).toEqual([
      expect.stringMatching(/^gone: .*gone\.sh/),
      "g: matcher glob does not match replace",
    ]);
  });

  test("are cached for abilities too, by all of their names", async () => {
    const { system } = await testSystem({ PreAbilityCall: [{ matcher: "deploy", hooks: [hook("h")] }] });
    const plan = (aliases: string[]) =>
      system.getPlanner().createExecutionPlan("PreAbilityCall", { subject: "release", aliases });
    expect(plan(["deploy.now"])?.hooks).toHaveLength(1);
    expect(plan(["deploy.now"])).toBe(plan(["deploy.now"]));
    expect(plan(["other"])).toBeNull();
  });

  test("merge ten thousand hooks of one command in a time that grows with their number only", async () => {
    const { system } = await testSystem({ BeforeTool: [{ hooks: [hook("h")] }] });
    const [one] = system.getPlanner().createExecutionPlan("BeforeTool", { subject: "glob" })?.hooks ?? [];
    if (!one) throw new Error("The hook was not planned");
    const { entry } = one;
    const hooks = Array.from({ length: 10_000 }, (_, index) => {
      const env = { N: String(index % 9_000) };
      return { ...one, entry: { ...entry, config: { ...entry.config, env } } };
    });
    const before = performance.now();
    expect(mergeDuplicates(hooks)).toHaveLength(9_000);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  test("leave idle hooks unmatched, and record those whose plain names fit", async () => {
    const { system } = await testSystem({
      BeforeTool: [
        { matcher: "glob", hooks: [hook("plain", { command: "./gone.sh" })] },
        { matcher: "write_file", hooks: [hook("other", { command: "./gone.sh" })] },
        { matcher: "^(a+)+$", hooks: [hook("pattern", { command: "./gone.sh" })] },
      ],
    });
    const plan = system.getPlanner().createExecutionPlan("BeforeTool", { subject: "glob" });
    expect(plan?.hooks).toEqual([]);
    expect(plan?.skipped.map(({ entry }) => entry.config.name)).toEqual(["plain", "pattern"]);
  });
});
