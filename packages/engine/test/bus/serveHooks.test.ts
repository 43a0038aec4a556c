import { describe, expect, onTestFinished, test } from "vitest";
import { InProcessMessageBus } from "../../src/bus/inProcessMessageBus.ts";
import { type HookExecutionResponse, MessageBusType } from "../../src/bus/messages.ts";
import { serveHooks } from "../../src/bus/serveHooks.ts";
import { EVENTS, HookEventName } from "../../src/events/catalog.ts";
import { event } from "../../src/events/event.ts";
import { createHookOutput } from "../../src/hooks/answer/hookOutput.ts";
import { HookSystem } from "../../src/hooks/hookSystem.ts";
import type { HookSystemOptions } from "../../src/hooks/hookSystemOptions.ts";
import { action, CALL, commandHook, configOf, temporaryFolder } from "../support/system.ts";

declare module "../../src/events/inputs.ts" {
  interface CustomEvents {
    Deploy: true;
  }
}

const { HOOK_EXECUTION_REQUEST, HOOK_EXECUTION_RESPONSE } = MessageBusType;
const names = Object.values(HookEventName);
const NOTHING = { success: true, allOutputs: [], errors: [], totalDuration: 0 };

/** A bus with hooks served on it. Nobody has initialised the system. */
function served(options: HookSystemOptions = {}, hooks = {}) {
  const dir = temporaryFolder();
  const config = configOf(dir, hooks, () => system);
  const system: HookSystem = new HookSystem(config, { trust: "all", homeDir: dir, ...options });
  const bus = new InProcessMessageBus();
  const stop = serveHooks(bus, config);
  const responses: HookExecutionResponse[] = [];
  bus.subscribe(HOOK_EXECUTION_RESPONSE, (response) => void responses.push(response));
  onTestFinished(() => system.dispose());
  return { bus, system, config, stop, responses, dir };
}

test.each(names)("%s is fired by a request, and comes to the same as when it is fired directly", async (name) => {
  const { bus, system } = served();
  const inputs: unknown[] = [];
  const guard = action("guard", (input) => {
    inputs.push(input);
    return { decision: "deny", reason: "not today", systemMessage: "told" };
  });
  system.registerHook({ ...guard, blocking: true }, name);
  const payload = EVENTS[name].sample;
  const { result, correlationId } = await bus.request({ eventName: name, payload, correlationId: "1" });
  const { finalOutput, allOutputs, errors, success } = await system.getEventHandler().fire(name, payload);
  expect(correlationId).toBe("1");
  expect(result).toEqual({
    success,
    allOutputs,
    errors,
    totalDuration: expect.any(Number),
    finalOutput: { ...finalOutput },
  });
  const timeless = inputs.map((input) => ({ ...Object(input), timestamp: "" }));
  expect(timeless).toEqual([timeless[1], timeless[1]]);
});

test.each(names)("what is said on the bus about %s is plain JSON", async (eventName) => {
  const { bus, system, responses } = served();
  const odd = {
    decision: "deny",
    reason: "x",
    hookSpecificOutput: { a: undefined, b: () => 1, c: new Date(0), d: [1n] },
  };
  const plain = { decision: "deny", reason: "x", hookSpecificOutput: { a: undefined, b: () => 1, c: new Date(0) } };
  system.registerHook(
    action("odd", ({ oddest }) => (oddest ? odd : plain)),
    eventName,
  );
  const requests: unknown[] = [];
  bus.subscribe(HOOK_EXECUTION_REQUEST, (request) => void requests.push(request));
  for (const extra of [{}, { oddest: true }]) {
    await bus.request({ eventName, payload: { ...EVENTS[eventName].sample, ...extra } });
  }
  await bus.request({ eventName: "NoSuchEvent", payload: {} });
  await bus.request({ eventName, payload: { tool_input: 1, source: 1, reason: 1 } });
  for (const message of [...requests, ...responses]) expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message);
  expect(responses).toHaveLength(4);
});

test("the output of a response can be asked like any other", async () => {
  const { bus, system } = served();
  const tool_input = { file_path: "b.txt" };
  system.registerHook(
    action("moves", () => ({ hookSpecificOutput: { tool_input } })),
    "BeforeTool",
  );
  const { result } = await bus.request({ eventName: "BeforeTool", payload: CALL });
  const output = createHookOutput("BeforeTool", result.finalOutput ?? {});
  expect(output.getModifiedToolInput()).toEqual({ ...CALL.tool_input, ...tool_input });
});

test("a rewrite that has no JSON form blocks where it can, since it may have been meant to take something out", async () => {
  const { bus, system } = served();
  system.registerHook(
    action("odd", () => ({ hookSpecificOutput: { tool_input: { n: 1n } } })),
    "BeforeTool",
  );
  const { result } = await bus.request({ eventName: "BeforeTool", payload: CALL });
  expect(result).toMatchObject({
    finalOutput: {
      decision: "block",
      reason: 'Hook "odd" answered with a rewrite that cannot be used: tool_input contains a BigInt',
    },
    errors: [],
  });
});

describe("a request that cannot be carried out is answered with the reason", () => {
  const failure = (code: string, message: string) => ({ ...NOTHING, success: false, errors: [{ code, message }] });
  const blocked = (code: string, message: string) => ({
    ...failure(code, message),
    finalOutput: { decision: "block", reason: message },
  });

  test("when there is no such event", async () => {
    const { bus } = served();
    for (const eventName of ["NoSuchEvent", "toString", "__proto__"]) {
      const { result } = await bus.request({ eventName, payload: {} });
      expect(result).toEqual(failure("EVENT_UNKNOWN", `There is no event "${eventName}".`));
    }
  });

  test("when its payload does not fit the event, as a block where the event can block", async () => {
    const { bus, system } = served();
    for (const name of ["BeforeAgent", "SessionEnd"] as const) {
      system.registerHook(
        action("guard", () => ({})),
        name,
      );
    }
    const asked = (eventName: string) => bus.request({ eventName, payload: { prompt: 1, reason: 1 } });
    const message = "The input of BeforeAgent is invalid: prompt: Invalid input: expected string, received number";
    expect((await asked("BeforeAgent")).result).toEqual(blocked("INPUT_INVALID", message));
    expect((await asked("SessionEnd")).result).toMatchObject({ success: false, errors: [{ code: "INPUT_INVALID" }] });
    expect((await asked("SessionEnd")).result).not.toHaveProperty("finalOutput");
  });

  test.each([
    ["no payload", { eventName: "BeforeTool" }],
    ["a payload that is no object", { eventName: "BeforeTool", payload: "rm -rf" }],
    ["a list as payload", { eventName: "BeforeTool", payload: [] }],
    ["an event that is no text", { eventName: 7, payload: {} }],
  ])("when it has %s", async (_what, fields) => {
    const { bus, responses } = served();
    // As from another process: nothing has checked it.
    bus.publish(JSON.parse(JSON.stringify({ type: HOOK_EXECUTION_REQUEST, correlationId: "1", ...fields })));
    await expect.poll(() => responses.length).toBe(1);
    expect(responses).toMatchObject([
      {
        correlationId: "1",
        result: {
          success: false,
          errors: [{ code: "INPUT_INVALID", message: expect.stringMatching(/^The hook request is invalid: /) }],
        },
      },
    ]);
    expect(responses[0]?.result.finalOutput?.decision).toBe(fields.eventName === 7 ? undefined : "block");
  });

  test.each([{}, { correlationId: "" }, { correlationId: 5 }])(
    "under an empty id, when it has none: %j",
    async (id) => {
      const { bus, responses } = served();
      bus.publish(
        JSON.parse(JSON.stringify({ type: HOOK_EXECUTION_REQUEST, eventName: "SessionEnd", payload: {}, ...id })),
      );
      await expect.poll(() => responses.length).toBe(1);
      const message = "The hook request needs a correlationId that is a non-empty string.";
      expect(responses).toEqual([
        { type: HOOK_EXECUTION_RESPONSE, correlationId: "", result: failure("INPUT_INVALID", message) },
      ]);
    },
  );

  test("when nobody can decide about trust; and once that is no question any more, it is carried out", async () => {
    let hooks = commandHook("SessionEnd", "true");
    const { config } = served();
    const system = new HookSystem({ ...config, getHooks: () => hooks }, { homeDir: temporaryFolder() });
    const bus = new InProcessMessageBus();
    serveHooks(bus, { ...config, getHookSystem: () => system });
    const tool = () => bus.request({ eventName: "BeforeTool", payload: CALL });
    const { result } = await tool();
    const message = result.errors[0]?.message ?? "";
    expect(message).toContain("This project declares a hook that is not trusted");
    expect(result).toEqual(blocked("TRUST_REQUIRED", message));
    const end = await bus.request({ eventName: "SessionEnd", payload: { reason: "exit" } });
    expect(end.result).toEqual(failure("TRUST_REQUIRED", message));
    hooks = {};
    expect((await tool()).result).toEqual(NOTHING);
  });

  test("when the config itself fails", async () => {
    const { config } = served();
    const bus = new InProcessMessageBus();
    const getHookSystem = () => {
      throw new Error("no config");
    };
    serveHooks(bus, { ...config, getHookSystem });
    const { result } = await bus.request({ eventName: "BeforeTool", payload: CALL });
    expect(result).toEqual(blocked("HOOK_FAILED", "no config"));
  });
});

test("with hooks switched off, every request comes to nothing, and successfully", async () => {
  const { config } = served();
  const bus = new InProcessMessageBus();
  serveHooks(bus, { ...config, getHookSystem: () => undefined });
  expect((await bus.request({ eventName: "BeforeTool", payload: CALL })).result).toEqual(NOTHING);
});

test("a requester cannot pretend the facts of the session", async () => {
  const { bus, system, dir } = served();
  const inputs: unknown[] = [];
  system.registerHook(
    action("looks", (input) => void inputs.push(input)),
    "PreAbilityCall",
  );
  const sample = { ...EVENTS.PreAbilityCall.sample, ability_id: "deploy" };
  const payload = {
    ...sample,
    session_id: "forged",
    transcript_path: "/etc/passwd",
    cwd: "/",
    timestamp: "1970-01-01T00:00:00.000Z",
    hook_event_name: "SessionEnd",
    event_type: "SessionEnd",
    second_pass: true,
    own: "kept",
  };
  await bus.request({ eventName: "PreAbilityCall", payload });
  expect(inputs).toEqual([
    {
      ...sample,
      session_id: "session-1",
      transcript_path: "",
      cwd: dir,
      timestamp: expect.not.stringMatching(/^1970/),
      hook_event_name: "PreAbilityCall",
      event_type: "PreAbilityCall",
      own: "kept",
    },
  ]);
});

test("a thousand requests at once are answered once each, and the system is started once", async () => {
  const { bus, system, responses } = served();
  system.registerHook(
    action("echo", async ({ tool_call_id }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(tool_call_id) % 7));
      return { systemMessage: String(tool_call_id) };
    }),
    "BeforeTool",
  );
  const ids = Array.from({ length: 1000 }, (_, index) => String(index));
  const asked = ids.map((id) =>
    bus.request({ eventName: "BeforeTool", correlationId: id, payload: { ...CALL, tool_call_id: id } }),
  );
  const answers = await Promise.all(asked);
  expect(answers.map(({ correlationId, result }) => [correlationId, result.finalOutput?.systemMessage])).toEqual(
    ids.map((id) => [id, id]),
  );
  expect(responses.map(({ correlationId }) => correlationId).toSorted()).toEqual(ids.toSorted());
  expect(responses.map(({ correlationId }) => correlationId)).not.toEqual(ids);
});

test("a request under way is answered after the serving has ended, a later one is not", async () => {
  const { bus, system, stop } = served();
  system.registerHook(
    action("slow", () => new Promise((resolve) => setTimeout(resolve, 5, { systemMessage: "late" }))),
    "BeforeTool",
  );
  const asked = bus.request({ eventName: "BeforeTool", payload: CALL });
  stop();
  expect((await asked).result.finalOutput?.systemMessage).toBe("late");
  await expect(bus.request({ eventName: "BeforeTool", payload: CALL })).rejects.toThrow("No handler answers");
});

test("an event of the embedder's own catalog can be requested too", async () => {
  const Deploy = event({ ...EVENTS.SessionEnd, fires: "before a deployment", may: { block: "no deployment" } });
  const { bus, system } = served({ catalog: { ...EVENTS, Deploy: { ...Deploy, merge: "strictest" } } });
  system.registerHook(
    action("no", () => ({ decision: "deny", reason: "frozen" })),
    "Deploy",
  );
  const { result } = await bus.request({ eventName: "Deploy", payload: { reason: "exit" } });
  expect(result.finalOutput).toEqual({ decision: "block", reason: "frozen" });
});
