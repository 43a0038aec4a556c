import { describe, expect, test } from "vitest";
import { runtimeHandler } from "../../src/hooks/handlers/runtime.ts";
import { action, CALL, registerAll, testSystem } from "../support/system.ts";

async function fireAt(run: Parameters<typeof action>[1], fields = {}) {
  const { system, handler, recorded } = await testSystem();
  system.registerHook(action("hook", run, fields), "BeforeTool");
  const result = await handler.fireBeforeToolEvent(CALL);
  return { result, ended: recorded("hookEnded")[0] };
}

describe("a runtime hook", () => {
  test("that returns nothing has no answer", async () => {
    expect((await fireAt(() => undefined)).result).toMatchObject({ success: true, errors: [] });
    expect((await fireAt(async () => null)).result.finalOutput).toBeUndefined();
  });

  test("that throws, at once or later, has failed and lets the agent go on", async () => {
    const thrown = new Error("boom");
    for (const run of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      const { result, ended } = await fireAt(run);
      expect(ended?.failure).toEqual({ kind: "threw", message: "threw: boom" });
      expect(result).toMatchObject({ success: false, errors: [{ code: "HOOK_FAILED" }] });
      expect(result.finalOutput).toBeUndefined();
    }
  });

  test("that throws something that is no error is reported all the same", async () => {
    const { ended } = await fireAt(() => Promise.reject(Object.create(null)));
    expect(ended?.failure?.kind).toBe("threw");
  });

  test("that never settles is timed out, and its signal says so", async () => {
    let aborted = false;
    const { result, ended } = await fireAt(
      (_input, { signal }) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        return new Promise(() => {});
      },
      { timeout: "100ms", onError: "block" },
    );
    expect(ended?.failure).toEqual({ kind: "timedOut", message: "timed out after 100 ms" });
    expect(result.finalOutput).toMatchObject({ decision: "block" });
    expect(aborted).toBe(true);
  });

  test("that holds the thread beyond its timeout has overrun, and its objection stands", async () => {
    const { result, ended } = await fireAt(
      () => {
        const until = performance.now() + 150;
        while (performance.now() < until);
        return { decision: "deny", reason: "late" };
      },
      { timeout: "50ms" },
    );
    expect(ended?.failure?.kind).toBe("overran");
    expect(result).toMatchObject({ success: false, finalOutput: { decision: "block", reason: "late" } });
  });

  test("that mutates its input changes nothing for the caller or for other hooks", async () => {
    const { system, handler } = await testSystem();
    const seen: unknown[] = [];
    system.registerHook(
      action("vandal", (input) => {
        Object.assign(input.tool_input as object, { content: "changed" });
        input.tool_name = "other";
      }),
      "BeforeTool",
      { sequential: true },
    );
    system.registerHook(
      action("witness", ({ tool_name, tool_input }) => void seen.push({ tool_name, tool_input })),
      "BeforeTool",
    );
    const input = { ...CALL, tool_input: { content: "hello", nested: { list: [1] } } };
    await handler.fireBeforeToolEvent(input);
    expect(input.tool_input).toEqual({ content: "hello", nested: { list: [1] } });
    expect(seen).toEqual([{ tool_name: "write_file", tool_input: { content: "hello", nested: { list: [1] } } }]);
  });

  test("that aborts its caller's own signal and then never settles ends at once", async () => {
    const { system, handler, recorded } = await testSystem();
    const controller = new AbortController();
    const abortAndHang = () => {
      controller.abort();
      return new Promise(() => {});
    };
    system.registerHook(action("hook", abortAndHang), "BeforeTool");
    await handler.fireBeforeToolEvent(CALL, { signal: controller.signal });
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("aborted");
  });

  test("that is aborted by the caller ends at once, and the event stops", async () => {
    const { system, handler } = await testSystem();
    const abort = new AbortController();
    system.registerHook(
      action("slow", () => {
        setTimeout(() => abort.abort(), 20);
        return new Promise(() => {});
      }),
      "BeforeTool",
    );
    const result = await handler.fireBeforeToolEvent(CALL, { signal: abort.signal });
    expect(result).toMatchObject({ errors: [{ code: "ABORTED" }], finalOutput: { continue: false } });
  });

  test("answers may be in any of the accepted spellings", async () => {
    const spellings = [
      { decision: "deny", reason: "no" },
      { decision: " DENY ", reason: "no" },
      { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } },
      { permissionDecision: "deny", permissionDecisionReason: "no" },
      { decision: "allow", permissionDecision: "deny", permissionDecisionReason: "no" },
    ];
    for (const answer of spellings) {
      expect((await fireAt(() => answer)).result.finalOutput).toMatchObject({ decision: "block", reason: "no" });
    }
    const rewritten = await fireAt(() => ({ hookSpecificOutput: { updatedInput: { content: "new" } } }));
    expect(rewritten.result.finalOutput?.getModifiedToolInput()).toEqual({ file_path: "a.txt", content: "new" });
  });
});

test("the input has the base fields, the event's own, and what follows from them", async () => {
  const { system, handler, dir } = await testSystem();
  let seen: unknown;
  system.registerHook(
    action("watch", (input) => {
      seen = input;
    }),
    "SessionStart",
  );
  await handler.fireSessionStartEvent({ source: "resume" });
  expect(seen).toEqual({
    session_id: "session-1",
    transcript_path: "",
    cwd: dir,
    hook_event_name: "SessionStart",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    source: "resume",
    trigger: "Resume",
  });
});

test("a missing tool_call_id is generated and absent arguments are empty", async () => {
  const { system, handler } = await testSystem();
  let seen: Record<string, unknown> = {};
  system.registerHook(
    action("watch", (input) => {
      seen = input;
    }),
    "BeforeTool",
  );
  await handler.fireBeforeToolEvent({ tool_name: "glob" });
  expect(seen.tool_input).toEqual({});
  expect(seen.tool_call_id).toMatch(/^[0-9a-f-]{36}$/);
});

test("a wrong input is the caller's bug: no hook runs, and the result says so", async () => {
  const { system, handler } = await testSystem();
  let ran = false;
  system.registerHook(
    action("watch", () => {
      ran = true;
    }),
    "BeforeTool",
  );
  const result = await handler.fire("BeforeTool", { tool_name: "glob", tool_input: "text" });
  expect(result).toMatchObject({
    success: false,
    errors: [{ code: "INPUT_INVALID" }],
    finalOutput: { decision: "block", reason: expect.stringContaining("tool_input") },
  });
  expect(await handler.fire("BeforeTool", {})).toMatchObject({ errors: [{ code: "INPUT_INVALID" }] });
  expect(await handler.fire("BeforeTol", {})).toMatchObject({ errors: [{ code: "EVENT_UNKNOWN" }] });
  expect(ran).toBe(false);
});

test("an input given as a function is built only if a hook will see it", async () => {
  const { system, handler } = await testSystem();
  let built = 0;
  const input = () => {
    built += 1;
    return { llm_request: { model: "m", messages: [] } };
  };
  await handler.fireBeforeModelEvent(input);
  expect(built).toBe(0);
  system.registerHook(
    action("watch", () => ({})),
    "BeforeModel",
  );
  await handler.fireBeforeModelEvent(input);
  expect(built).toBe(1);
});

describe("a failure of the engine itself", () => {
  const fails = (): never => {
    throw new Error("no such luck");
  };

  test.each(["allow", "block"] as const)(
    "does not throw, and blocks where a guard matched (onError %s)",
    async (onError) => {
      const { system, handler } = await testSystem();
      system.registerHook(
        action("guard", () => ({}), { onError }),
        "BeforeTool",
      );
      expect(await handler.fireBeforeToolEvent(fails)).toMatchObject({
        success: false,
        errors: [{ code: "HOOK_FAILED", message: "The hook engine failed: no such luck" }],
        finalOutput: { decision: "block", reason: "The hook engine failed: no such luck" },
      });
    },
  );

  test("blocks nothing where hooks only look on, or where the event cannot block", async () => {
    const { system, handler } = await testSystem();
    registerAll(system, "BeforeModel", [action("watch", () => ({}), { mode: "observe" })]);
    registerAll(system, "Notification", [action("bell", () => ({}))]);
    for (const event of ["BeforeModel", "Notification"]) {
      const result = await handler.fire(event, fails);
      expect(result).toMatchObject({ success: false, errors: [{ code: "HOOK_FAILED" }] });
      expect(result.finalOutput).toBeUndefined();
    }
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)];
}

const ring: Record<string, unknown> = {};
ring.self = ring;

test.each<[string, unknown]>([
  ["contains a BigInt", { size: 10n }],
  ["contains itself", ring],
  ["is nested deeper than 200 levels", { z: nested(201) }],
  [
    "cannot be read: no",
    {
      get x() {
        throw new Error("no");
      },
    },
  ],
  [
    "cannot be read: never",
    {
      toJSON() {
        throw new Error("never");
      },
    },
  ],
])("an input that %s blocks, and no hook of any kind runs", async (why, tool_input) => {
  const { system, handler, recorded } = await testSystem({
    BeforeTool: [
      { hooks: [{ type: "command", command: "true", name: "command" }] },
      { hooks: [{ type: "command", command: "false", name: "background", blocking: false }] },
    ],
  });
  system.registerHook(
    action("function", () => ({ decision: "deny", reason: "no" })),
    "BeforeTool",
  );
  const reason = `The input of BeforeTool is invalid: tool_input ${why}`;
  const result = await handler.fire("BeforeTool", { ...CALL, tool_input });
  await system.settle();
  expect(result).toMatchObject({ errors: [{ code: "INPUT_INVALID" }], finalOutput: { decision: "block", reason } });
  expect(recorded("hookStarted")).toEqual([]);
  expect(recorded("hookSkipped").map(({ hook }) => hook.config.name)).toEqual(["function", "command", "background"]);
  expect(recorded("merged")).toMatchObject([{ decision: "block", reason }]);
});

test("an event whose input is wrong is on the record, with the guards that did not run", async () => {
  const { system, handler, recorded } = await testSystem();
  system.registerHook(
    action("guard", () => ({})),
    "BeforeTool",
  );
  await handler.fire("BeforeTool", { tool_name: "glob", tool_input: [] });
  expect(recorded("hookSkipped")).toMatchObject([
    { hook: { config: { name: "guard" } }, reason: expect.stringContaining("The input of BeforeTool is invalid") },
  ]);
  // The triggers treat it as a block, so that is what an agent did.
  const reason = expect.stringContaining("The input of BeforeTool is invalid");
  expect(recorded("merged")).toMatchObject([{ success: false, decision: "block", reason }]);
});

test("an input function that throws is no way past a guard that blocks on failure", async () => {
  const { system, handler } = await testSystem();
  system.registerHook(
    action("guard", () => ({}), { onError: "block" }),
    "BeforeModel",
  );
  const result = await handler.fireBeforeModelEvent(() => {
    throw new Error("cannot translate");
  });
  expect(result).toMatchObject({
    success: false,
    finalOutput: { decision: "block", reason: expect.stringContaining("cannot translate") },
  });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("boom");
    },
  ],
  ["rejects", () => Promise.reject(new Error("boom"))],
])("a kind of the embedding program that %s is a failure of the hook", async (_, run) => {
  const { system, handler } = await testSystem(
    {},
    { handlers: [{ kind: runtimeHandler.kind, start: () => ({ run }) }] },
  );
  system.registerHook(
    action("foreign", () => ({})),
    "BeforeTool",
  );
  const result = await handler.fireBeforeToolEvent(CALL);
  expect(result.errors).toEqual([{ code: "HOOK_FAILED", hook: "foreign", message: 'Hook "foreign" threw: boom' }]);
  expect(result.finalOutput).toBeUndefined();
});
