import { describe, expect, test } from "vitest";
import { executeToolWithHooks } from "../../src/hooks/triggers/executeTool.ts";
import { eventually } from "../support/fixtures.ts";
import { action, CALL, commandHook, testSystem } from "../support/system.ts";

const tool = async () => ({ llmContent: "ran", returnDisplay: "ran" });

describe("a reload", () => {
  test("lets an event end under the hooks it began with", async () => {
    const hooks = commandHook("BeforeTool", "sleep 0.5; echo 'the old guard' >&2; exit 2", { name: "guard" });
    const { config, system, recorded } = await testSystem(hooks);
    const called = executeToolWithHooks(config, "write_file", {}, tool);
    await eventually(() => expect(recorded("hookStarted").length).toBeGreaterThan(0));
    Object.assign(hooks, { BeforeTool: [] });
    await system.reload();
    expect((await called).llmContent).toContain("the old guard");
  });
});

describe("disposing", () => {
  const THINKS = action("thinks", () => new Promise(() => {}));

  test("blocks an event whose hook had not answered, and the record says why", async () => {
    const { system, handler, recorded } = await testSystem();
    system.registerHook(THINKS, "BeforeTool");
    const fired = handler.fireBeforeToolEvent(CALL);
    await system.dispose();
    const reason = 'Hook "thinks" was cut short: the hook system was shut down';
    expect(await fired).toMatchObject({
      success: false,
      finalOutput: { decision: "block", reason },
      errors: [{ code: "ABORTED", hook: "thinks", message: reason }],
    });
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("disposed");
    expect(recorded("merged")[0]).toMatchObject({ decision: "block", reason });
  });

  test("keeps the objection of a hook that had answered", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("objects", () => ({ decision: "deny", reason: "no" })),
      "BeforeTool",
    );
    system.registerHook(THINKS, "BeforeTool");
    const fired = handler.fireBeforeToolEvent(CALL);
    await system.dispose();
    expect((await fired).finalOutput?.reason?.split("\n")[0]).toBe("no");
  });

  test("lets an event be that cannot be blocked, and one that no hook matches", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(THINKS, "SessionEnd");
    const fired = handler.fireSessionEndEvent({ reason: "exit" });
    await system.dispose();
    expect((await fired).finalOutput?.isBlockingDecision() ?? false).toBe(false);
    expect(await handler.fireBeforeToolEvent(CALL)).toMatchObject({ success: true, results: [] });
  });

  test("blocks no event that its caller cancelled first: that stays a cancellation", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(THINKS, "BeforeTool");
    const controller = new AbortController();
    const fired = handler.fireBeforeToolEvent(CALL, { signal: controller.signal });
    controller.abort();
    await system.dispose();
    expect((await fired).results[0]?.failure?.kind).toBe("aborted");
  });

  test("blocks what a model would be given unseen, too", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(THINKS, "AfterTool");
    const fired = handler.fireAfterToolEvent({ ...CALL, tool_response: { llmContent: "secret", returnDisplay: "" } });
    await system.dispose();
    expect((await fired).finalOutput?.isBlockingDecision()).toBe(true);
  });
});
