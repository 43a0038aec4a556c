import { createRequire } from "node:module";
import type * as api from "@opentelemetry/api";
import {
  type ContextManager,
  context,
  metrics,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AlwaysOffSampler, SamplingDecision } from "@opentelemetry/sdk-trace-base";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readText, tableRows } from "../../../../test/repository.ts";
import { runtimeHandler } from "../../src/hooks/handlers/runtime.ts";
import { ATTRIBUTES } from "../../src/hooks/telemetry/attributes.ts";
import { fixtureCommand } from "../support/fixtures.ts";
import { registerMetrics, registerTracing, unregister } from "../support/otel.ts";
import { action, CALL, commandHook, registerAll, testSystem } from "../support/system.ts";

const OK = { code: SpanStatusCode.UNSET };
const FAILED = { code: SpanStatusCode.ERROR };

/** Its spans record nothing. */
const silentTracer = new ProxyTracerProvider().getTracer("silent");

const explode = (): never => {
  throw new Error("broken SDK");
};

const eventSpan = (attributes: Record<string, unknown> = {}) => ({
  name: "hookline.event BeforeTool",
  parent: undefined,
  status: OK,
  attributes: {
    "hookline.event.name": "BeforeTool",
    "hookline.event.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "hookline.event.subject": "write_file",
    "hookline.event.decision": "allow",
    "hookline.event.outcome": "ok",
    ...attributes,
  },
});

const hookSpan = (name: string, attributes: Record<string, unknown> = {}) => ({
  name: `hookline.hook ${name}`,
  parent: "hookline.event BeforeTool",
  status: OK,
  attributes: {
    "hookline.event.name": "BeforeTool",
    "hookline.hook.name": name,
    "hookline.hook.source": "runtime",
    "hookline.hook.kind": "runtime",
    "hookline.hook.pass": "first",
    "hookline.hook.outcome": "ok",
    "hookline.hook.decision": "allow",
    "hookline.hook.applied": true,
    ...attributes,
  },
});

describe("a matched event", () => {
  test("is a span under the caller's, with a child for each hook that ran", async () => {
    const { tracer, seen, spans } = registerTracing();
    const { system, handler } = await testSystem();
    registerAll(system, "BeforeTool", [action("first", () => ({})), action("second", async () => ({}))]);
    await tracer.startActiveSpan("agent", async (span) => {
      await handler.fireBeforeToolEvent(CALL);
      span.end();
    });
    expect(seen()).toEqual([
      hookSpan("first"),
      hookSpan("second"),
      { ...eventSpan(), parent: "agent" },
      { name: "agent", parent: undefined, attributes: {}, status: OK },
    ]);
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  test("has the exit code and the sizes of a command's input and output", async () => {
    const { seen } = registerTracing();
    const { handler } = await testSystem(commandHook("BeforeTool", 'echo "$(wc -c) bytes"', { name: "counts" }));
    const { finalOutput } = await handler.fireBeforeToolEvent({ ...CALL, tool_input: { content: "größer" } });
    const printed = finalOutput?.systemMessage ?? "";
    expect(seen()).toEqual([
      hookSpan("counts", {
        "hookline.hook.source": "project",
        "hookline.hook.kind": "command",
        "hookline.hook.exit_code": 0,
        "hookline.hook.input.size": Number.parseInt(printed, 10),
        "hookline.hook.output.size": printed.length + 1,
      }),
      eventSpan(),
    ]);
  });

  test("that a hook fails on is an error, by the kind of failure and without its text", async () => {
    const { seen } = registerTracing();
    const { handler } = await testSystem(commandHook("BeforeTool", "echo oops >&2; exit 3", { name: "fails" }));
    await handler.fireBeforeToolEvent(CALL);
    const spans = seen();
    expect(spans).toEqual([
      {
        ...hookSpan("fails", {
          "hookline.hook.source": "project",
          "hookline.hook.kind": "command",
          "hookline.hook.outcome": "exitCode",
          "hookline.hook.exit_code": 3,
          "hookline.hook.input.size": expect.any(Number),
          "hookline.hook.output.size": 0,
        }),
        status: FAILED,
      },
      { ...eventSpan({ "hookline.event.outcome": "failed" }), status: FAILED },
    ]);
    expect(JSON.stringify(spans)).not.toContain("oops");
  });

  test.each([
    ["block", { decision: "deny", reason: "no" }],
    ["stop", { continue: false, stopReason: "no" }],
    ["ask", { decision: "ask", reason: "sure?" }],
  ])("that comes to a %s is healthy, and says so", async (decision, answer) => {
    const { seen } = registerTracing();
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => answer),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect(seen()).toEqual([
      hookSpan("guard", { "hookline.hook.decision": decision }),
      eventSpan({ "hookline.event.decision": decision }),
    ]);
  });

  test("shows who ran again and who looked on, and which fields were rewritten", async () => {
    const { seen } = registerTracing();
    const { system, handler } = await testSystem();
    const rewrite = (name: string, value: string) =>
      action(name, ({ second_pass }) =>
        second_pass ? {} : { hookSpecificOutput: { tool_input: { file_path: value, content: value } } },
      );
    registerAll(system, "BeforeTool", [
      rewrite("one", "1"),
      rewrite("two", "2"),
      action("watches", () => ({ decision: "deny" }), { mode: "observe" }),
    ]);
    await handler.fireBeforeToolEvent(CALL);
    const pass = (name: string) => ({ "hookline.hook.pass": name });
    expect(seen()).toEqual([
      hookSpan("one"),
      hookSpan("two"),
      hookSpan("two", pass("again")),
      hookSpan("one", pass("second")),
      hookSpan("watches", {
        ...pass("observe"),
        "hookline.hook.decision": "block",
        "hookline.hook.applied": false,
      }),
      eventSpan({ "hookline.event.rewrites": ["tool_input"] }),
    ]);
  });

  test("ends before a hook in the background does, whose span is its child nonetheless", async () => {
    const { seen } = registerTracing();
    const { system, handler } = await testSystem();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    system.registerHook(
      action("slow", () => released, { blocking: false }),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect(seen()).toEqual([eventSpan()]);
    release();
    await system.settle();
    expect(seen()).toEqual([
      eventSpan(),
      hookSpan("slow", { "hookline.hook.pass": "observe", "hookline.hook.applied": false }),
    ]);
  });

  test("with a wrong input is an error, and has no runs", async () => {
    const { seen } = registerTracing();
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fire("BeforeTool", { tool_name: "write_file", tool_input: "no object" });
    const refused = { "hookline.event.outcome": "failed", "hookline.event.decision": "block" };
    expect(seen()).toEqual([{ ...eventSpan(refused), status: FAILED }]);
  });

  test("whose hooks answer with rewrites that are not JSON is blocked, and is on the record", async () => {
    const { seen } = registerTracing();
    const { system, handler, recorded } = await testSystem();
    const rewrite = (n: bigint) => () => ({ hookSpecificOutput: { tool_input: { n } } });
    registerAll(system, "BeforeTool", [action("one", rewrite(1n)), action("two", rewrite(2n))]);
    await handler.fireBeforeToolEvent(CALL);
    const blocked = { "hookline.hook.decision": "block" };
    expect(seen()).toEqual([
      hookSpan("one", blocked),
      hookSpan("two", blocked),
      eventSpan({ "hookline.event.decision": "block" }),
    ]);
    expect(recorded("merged")).toMatchObject([{ decision: "block", rewrites: [] }]);
  });

  test("ends the spans of runs whose end was never recorded", async () => {
    const { spans } = registerTracing();
    const broken = {
      kind: runtimeHandler.kind,
      start: () => ({
        run: () => Promise.resolve({ kind: "threw", error: new Error("x") } as const),
        withheldFrom: () => {
          throw new Error("no names");
        },
      }),
    };
    const { system, handler } = await testSystem({}, { handlers: [broken] });
    system.registerHook(
      action("broken", () => ({})),
      "BeforeTool",
    );
    expect(await handler.fireBeforeToolEvent(CALL)).toMatchObject({
      success: false,
      errors: [{ code: "HOOK_FAILED" }],
      finalOutput: { decision: "block" },
    });
    expect(spans().map(({ name, status, ended }) => [name, status, ended])).toEqual([
      ["hookline.hook broken", FAILED, true],
      ["hookline.event BeforeTool", FAILED, true],
    ]);
  });

  test("that nobody keeps makes one span, and none for its hooks", async () => {
    const asked: string[] = [];
    const { spans } = registerTracing({
      shouldSample: (_context, _traceId, name) => {
        asked.push(name);
        return { decision: SamplingDecision.NOT_RECORD };
      },
      toString: () => "counts",
    });
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect({ asked, spans: spans() }).toEqual({ asked: ["hookline.event BeforeTool"], spans: [] });
  });

  test("whose hooks are all switched off, or that no hook matches, makes none", async () => {
    const { spans } = registerTracing();
    const { system, handler } = await testSystem(commandHook("BeforeTool", "true", { name: "off" }));
    await handler.fireAfterAgentEvent({ prompt: "a", prompt_response: "b" });
    system.getRegistry().setHookEnabled("off", false);
    await handler.fireBeforeToolEvent(CALL);
    expect(spans()).toEqual([]);
  });
});

test("spans that a function makes are children of its run", async () => {
  const { seen, tracer } = registerTracing();
  const { system, handler } = await testSystem();
  const work = action("works", async () => {
    await Promise.resolve();
    tracer.startSpan("inside").end();
    return {};
  });
  registerAll(system, "BeforeTool", [work, action("free", () => ({}), { blocking: false })]);
  await handler.fireBeforeToolEvent(CALL);
  await system.settle();
  expect(seen().map(({ name, parent }) => [name, parent])).toEqual([
    ["inside", "hookline.hook works"],
    ["hookline.hook works", "hookline.event BeforeTool"],
    ["hookline.hook free", "hookline.event BeforeTool"],
    ["hookline.event BeforeTool", undefined],
  ]);
});

describe("the SDK", () => {
  test("that is not there costs no span, no record and no look at the context", async () => {
    let looks = 0;
    onTestFinished(unregister);
    const look = <Value>(value: Value) => {
      looks += 1;
      return value;
    };
    const manager: ContextManager = {
      active: () => look(ROOT_CONTEXT),
      with: (_context, fn, self, ...args) => look(Reflect.apply(fn, self, args)),
      bind: (_context, target) => target,
      enable: () => manager,
      disable: () => manager,
    };
    context.setGlobalContextManager(manager);
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect(looks).toBe(0);
    trace.setGlobalTracerProvider({ getTracer: () => silentTracer });
    await handler.fireBeforeToolEvent(CALL);
    expect(looks).toBe(1);
  });

  test("may be registered later, taken away, and replaced", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    const first = registerTracing();
    await handler.fireBeforeToolEvent(CALL);
    unregister();
    await handler.fireBeforeToolEvent(CALL);
    const [second, counted] = [registerTracing(), registerMetrics()];
    await handler.fireBeforeToolEvent(CALL);
    await handler.fireBeforeToolEvent(CALL);
    expect([first.spans().length, second.spans().length]).toEqual([2, 4]);
    expect((await counted.points()).map(({ points }) => points.map(({ count }) => count))).toEqual([[2], [2]]);
  });

  test("may have a copy of the API of its own", async () => {
    // The copies share one global, which keeps the version of the first that registered something.
    const forget = () => Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
    forget();
    onTestFinished(() => void forget());
    const theirs: typeof api = createRequire(import.meta.resolve("@opentelemetry/sdk-trace-base"))(
      "@opentelemetry/api",
    );
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    const started: string[] = [];
    const startSpan = (name: string) => {
      started.push(name);
      return silentTracer.startSpan(name);
    };
    theirs.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: explode }) });
    await handler.fireBeforeToolEvent(CALL);
    expect(started).toEqual(["hookline.event BeforeTool"]);
  });

  test("is asked for a tracer once, not at every event", async () => {
    let asked = 0;
    onTestFinished(unregister);
    trace.setGlobalTracerProvider({
      getTracer: () => {
        asked += 1;
        return silentTracer;
      },
    });
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    for (let i = 0; i < 5; i++) await handler.fireBeforeToolEvent(CALL);
    expect(asked).toBe(1);
  });

  test("is not told anything by a system whose telemetry is off", async () => {
    const [{ spans }, { points }] = [registerTracing(), registerMetrics()];
    const { system, handler } = await testSystem({}, { telemetry: false });
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect([spans(), await points()]).toEqual([[], []]);
  });

  const brokenContexts: ContextManager = {
    active: () => ROOT_CONTEXT,
    with: explode,
    bind: explode,
    enable: explode,
    disable: () => brokenContexts,
  };
  const brokenSpan: Span = {
    spanContext: explode,
    setAttribute: explode,
    setAttributes: explode,
    addEvent: explode,
    addLink: explode,
    addLinks: explode,
    setStatus: explode,
    updateName: explode,
    end: explode,
    recordException: explode,
    isRecording: () => true,
  };
  test.each<[string, () => void]>([
    ["has no tracer", () => trace.setGlobalTracerProvider({ getTracer: explode })],
    [
      "starts no span",
      () => trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: explode, startActiveSpan: explode }) }),
    ],
    ["has no meter", () => metrics.setGlobalMeterProvider({ getMeter: explode })],
    [
      "has contexts that fail",
      () => {
        registerTracing();
        context.disable();
        context.setGlobalContextManager(brokenContexts);
      },
    ],
    [
      "has spans that fail",
      () =>
        trace.setGlobalTracerProvider({
          getTracer: () => ({ startSpan: () => brokenSpan, startActiveSpan: explode }),
        }),
    ],
  ])("that %s hurts nobody, and the recorder hears everything", async (_what, register) => {
    onTestFinished(unregister);
    register();
    const { handler, records } = await testSystem(commandHook("BeforeTool", fixtureCommand("denies.sh")));
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
    expect(records.map(({ kind }) => kind)).toEqual(["eventMatched", "hookStarted", "hookEnded", "merged"]);
  });

  test("hears everything from a system whose recorder fails", async () => {
    const { seen } = registerTracing();
    const recorder = {
      record() {
        throw new Error("disk full");
      },
    };
    const { system, handler } = await testSystem({}, { recorder });
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(CALL);
    expect(seen()).toEqual([hookSpan("guard"), eventSpan()]);
  });
});

describe("metrics", () => {
  const attributes = {
    "hookline.event.name": "BeforeTool",
    "hookline.hook.name": "no",
    "hookline.hook.kind": "command",
    "hookline.hook.outcome": "ok",
    "hookline.hook.decision": "block",
  };

  test("count runs and their time, by event, hook, kind, outcome and decision", async () => {
    const { points } = registerMetrics();
    const { system, handler } = await testSystem(
      commandHook("BeforeTool", fixtureCommand("denies.sh"), { name: "no" }),
    );
    const throws = () => {
      throw new Error("secret");
    };
    system.registerHook(action("throws", throws), "BeforeTool");
    await handler.fireBeforeToolEvent(CALL);
    await handler.fireBeforeToolEvent({ ...CALL, tool_name: "made_up_by_the_model" });
    const failing = {
      ...attributes,
      "hookline.hook.name": "throws",
      "hookline.hook.kind": "runtime",
      "hookline.hook.outcome": "threw",
      "hookline.hook.decision": "allow",
    };
    const counted = [
      { attributes: failing, count: 2 },
      { attributes, count: 2 },
    ];
    expect(await points()).toEqual([
      { name: "hookline.hook.runs", unit: "{run}", points: counted },
      { name: "hookline.hook.duration", unit: "ms", points: counted },
    ]);
  });

  test("go on where nobody keeps the spans", async () => {
    registerTracing(new AlwaysOffSampler());
    const { points } = registerMetrics();
    const { handler } = await testSystem(commandHook("BeforeTool", fixtureCommand("denies.sh"), { name: "no" }));
    await handler.fireBeforeToolEvent(CALL);
    expect((await points())[0]?.points).toEqual([{ attributes, count: 1 }]);
  });
});

describe("what the agent works on", () => {
  const SECRET = "hunter2";
  const leaky = {
    BeforeTool: [
      { hooks: [{ type: "command", command: `TOKEN=${SECRET} sh -c "cat; exit 3" --key ${SECRET}` }] },
      { hooks: [{ type: "command", command: `echo ${SECRET} >&2; exit 2`, name: "blocks" }] },
      { hooks: [{ type: "command", command: "cat", name: "prints" }] },
    ],
  };
  const secretive = [
    action("returns", (input) => ({ decision: "deny", reason: SECRET, systemMessage: JSON.stringify(input) })),
    action("rewrites", () => ({ hookSpecificOutput: { tool_input: { [SECRET]: SECRET } } })),
    action("throws", () => {
      throw new Error(SECRET);
    }),
  ];
  const call = { ...CALL, tool_input: { password: SECRET }, tool_call_id: SECRET };

  test("is in no span and no metric by default, nor is the command of a hook without a name", async () => {
    const [{ spans, seen }, { points }] = [registerTracing(), registerMetrics()];
    const { system, handler } = await testSystem(leaky);
    registerAll(system, "BeforeTool", secretive);
    const { finalOutput } = await handler.fireBeforeToolEvent(call);
    expect(JSON.stringify(finalOutput)).toContain(SECRET);
    const exported = JSON.stringify([
      spans().map(({ name, attributes, status, events, links }) => ({ name, attributes, status, events, links })),
      await points(),
    ]);
    expect(exported).not.toContain(SECRET);
    expect(seen().map(({ name }) => name)).toContain("hookline.hook sh");
  });

  test("is there when it is asked for: the input a hook saw, its answer, why it failed", async () => {
    const { seen } = registerTracing();
    const { system, handler, dir } = await testSystem(
      commandHook("BeforeTool", `echo ${SECRET} >&2; echo {}; exit 3`, { name: "fails" }),
      { telemetry: { payloads: true } },
    );
    system.registerHook(
      action("returns", () => ({ decision: "deny", reason: SECRET })),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent(call);
    const texts = seen().map(({ name, attributes, status }) => [
      name,
      JSON.parse(String(attributes[ATTRIBUTES.hookInput] ?? null)),
      attributes[ATTRIBUTES.hookAnswer],
      status,
    ]);
    const input = {
      session_id: "session-1",
      transcript_path: "",
      cwd: dir,
      hook_event_name: "BeforeTool",
      timestamp: expect.any(String),
      ...call,
    };
    const failed = { ...FAILED, message: expect.stringMatching(`^exited with code 3: ${SECRET}`) };
    expect(texts).toEqual([
      ["hookline.hook returns", input, `{"decision":"deny","reason":"${SECRET}"}`, OK],
      ["hookline.hook fails", input, "{}\n", failed],
      ["hookline.event BeforeTool", null, undefined, FAILED],
    ]);
  });

  test("is cut off at 8 KiB, between characters", async () => {
    const { spans } = registerTracing();
    const { system, handler } = await testSystem({}, { telemetry: { payloads: true } });
    const fits = "x".repeat(8 * 1024 - 13);
    system.registerHook(
      action("says", () => ({ reason: `${fits}€€€` })),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent({ ...CALL, tool_input: { content: "é".repeat(2 ** 20) } });
    const [hook] = spans();
    expect(hook?.attributes[ATTRIBUTES.hookAnswer]).toBe(`{"reason":"${fits}`);
    const input = String(hook?.attributes[ATTRIBUTES.hookInput]);
    expect(Buffer.byteLength(input)).toBeGreaterThan(8 * 1024 - 2);
    expect(Buffer.byteLength(input)).toBeLessThanOrEqual(8 * 1024);
    expect(input).not.toContain("\uFFFD");
  });

  test("is written as JSON only when it is asked for, and never for its size", async () => {
    const { seen } = registerTracing();
    const stringify = vi.spyOn(JSON, "stringify");
    onTestFinished(() => stringify.mockRestore());
    const quiet = await testSystem();
    const asked = await testSystem({}, { telemetry: { payloads: true } });
    for (const { system, handler } of [quiet, asked]) {
      registerAll(system, "BeforeTool", [action("one", () => ({})), action("two", () => ({}))]);
      await handler.fireBeforeToolEvent(CALL);
      const written = stringify.mock.calls.filter(([value]) => value?.hook_event_name === "BeforeTool");
      expect(written.length).toBe(handler === quiet.handler ? 0 : 2);
    }
    expect(seen().some(({ attributes }) => ATTRIBUTES.hookInputSize in attributes)).toBe(false);
  });

  test("has a subject of at most 128 characters", async () => {
    const { spans } = registerTracing();
    const { system, handler } = await testSystem();
    system.registerHook(
      action("guard", () => ({})),
      "BeforeTool",
    );
    await handler.fireBeforeToolEvent({ ...CALL, tool_name: "x".repeat(1000) });
    expect(spans().at(-1)?.attributes[ATTRIBUTES.eventSubject]).toBe("x".repeat(128));
  });
});

test("the page lists every attribute, and no other", () => {
  const rows = tableRows(readText("docs/decisions/009-telemetry-and-bus.md"));
  expect(rows.map(([name = ""]) => name.replaceAll("`", ""))).toEqual(Object.values(ATTRIBUTES));
});
