import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { InProcessMessageBus } from "../../src/bus/inProcessMessageBus.ts";
import { type BusMessage, type HookExecutionResponse, MessageBusType } from "../../src/bus/messages.ts";
import { ADVICE, HooklineError } from "../../src/errors.ts";

const { HOOK_EXECUTION_REQUEST, HOOK_EXECUTION_RESPONSE } = MessageBusType;
const ask = { eventName: "SessionEnd", payload: { reason: "exit" } };
const request = (correlationId: string) => ({ type: HOOK_EXECUTION_REQUEST, correlationId, ...ask });
const response = (correlationId: string): HookExecutionResponse => ({
  type: HOOK_EXECUTION_RESPONSE,
  correlationId,
  result: { success: true, allOutputs: [], errors: [], totalDuration: 0 },
});

/** Serves every request when told to, and remembers their ids. */
function heldBus() {
  const bus = new InProcessMessageBus();
  const ids: string[] = [];
  bus.subscribe(HOOK_EXECUTION_REQUEST, ({ correlationId }) => void ids.push(correlationId));
  return { bus, ids };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error instanceof HooklineError ? [error.code, error.message, error.next] : error),
  );

/** From here to the end of the test time passes only on request, and every timer is counted. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("publishing", () => {
  test("reaches those who listen for that type, in the order in which they came", () => {
    const bus = new InProcessMessageBus();
    const heard: [string, BusMessage][] = [];
    bus.subscribe(HOOK_EXECUTION_REQUEST, (message) => void heard.push(["first", message]));
    bus.subscribe(HOOK_EXECUTION_RESPONSE, (message) => void heard.push(["other", message]));
    bus.subscribe(HOOK_EXECUTION_REQUEST, (message) => void heard.push(["second", message]));
    bus.publish(request("1"));
    bus.publish(response("1"));
    expect(heard).toEqual([
      ["first", request("1")],
      ["second", request("1")],
      ["other", response("1")],
    ]);
  });

  test("does not reach those who left, not even while the message is under way", () => {
    const bus = new InProcessMessageBus();
    const heard: string[] = [];
    const listen = (name: string, also = () => {}) =>
      bus.subscribe(HOOK_EXECUTION_REQUEST, () => {
        heard.push(name);
        also();
      });
    listen("stays", () => leave());
    const leave = listen("leaves");
    listen("comes", () => void (heard.length < 3 && listen("new")));
    bus.publish(request("1"));
    expect(heard).toEqual(["stays", "comes"]);
    bus.publish(request("2"));
    expect(heard).toEqual(["stays", "comes", "stays", "comes", "new"]);
  });

  test("is not hurt by listeners that throw or reject, and neither are the others", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const bus = new InProcessMessageBus();
    const heard = vi.fn();
    bus.subscribe(HOOK_EXECUTION_REQUEST, () => {
      throw new Error("one");
    });
    bus.subscribe(HOOK_EXECUTION_REQUEST, () => Promise.reject(new Error("two")));
    bus.subscribe(HOOK_EXECUTION_REQUEST, heard);
    bus.publish(request("1"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", unhandled);
    expect([heard.mock.calls, unhandled.mock.calls]).toEqual([[[request("1")]], []]);
  });

  test("of what is no message is dropped", () => {
    const { bus, ids } = heldBus();
    for (const text of ["null", "7", "{}", '{"type":"gossip"}', '{"type":"__proto__"}']) bus.publish(JSON.parse(text));
    expect(ids).toEqual([]);
  });

  test("lets one function listen twice, and each time be undone by itself", () => {
    const bus = new InProcessMessageBus();
    const heard = vi.fn();
    const undo = bus.subscribe(HOOK_EXECUTION_REQUEST, heard);
    bus.subscribe(HOOK_EXECUTION_REQUEST, heard);
    undo();
    undo();
    bus.publish(request("1"));
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe("a request", () => {
  test("is published with an id of its own, or the one given, and gets the response with that id", async () => {
    const bus = new InProcessMessageBus();
    const asked: BusMessage[] = [];
    bus.subscribe(HOOK_EXECUTION_REQUEST, (message) => {
      asked.push(message);
      bus.publish(response(message.correlationId));
    });
    const given = await bus.request({ ...ask, correlationId: "mine" });
    const own = await bus.request(ask);
    expect(asked).toEqual([request("mine"), request(own.correlationId)]);
    expect(given).toEqual(response("mine"));
    expect(own.correlationId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("gets its own answer among a thousand, whatever their order, and only the first", async () => {
    const { bus, ids } = heldBus();
    const answers = Array.from({ length: 1000 }, () => bus.request(ask));
    const late = { ...response(""), result: { ...response("").result, success: false } };
    for (const id of ids.toReversed()) {
      bus.publish(response(id));
      bus.publish({ ...late, correlationId: id });
    }
    expect(await Promise.all(answers)).toEqual(ids.map(response));
    expect(new Set(ids).size).toBe(1000);
  });

  test("fails at once where nobody serves", async () => {
    const bus = new InProcessMessageBus();
    expect(await refusal(bus.request(ask))).toEqual([
      "BUS_UNANSWERED",
      "No handler answers hook requests on this bus.",
      ADVICE.BUS_UNANSWERED,
    ]);
  });

  test("fails when its time is over, and an answer that comes later is dropped", async () => {
    holdTime();
    const { bus, ids } = heldBus();
    const refused = refusal(bus.request(ask, { timeoutMs: 5 }));
    vi.advanceTimersByTime(5);
    expect(await refused).toEqual([
      "BUS_UNANSWERED",
      "No handler answered the hook request within 5 ms.",
      ADVICE.BUS_UNANSWERED,
    ]);
    bus.publish(response(ids[0] ?? ""));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails when its caller cancels it, and is not even made when that was before", async () => {
    const { bus, ids } = heldBus();
    const controller = new AbortController();
    const refused = refusal(bus.request(ask, { signal: controller.signal }));
    controller.abort();
    const cancelled = ["ABORTED", "The caller cancelled the hook request.", ADVICE.ABORTED];
    expect(await refused).toEqual(cancelled);
    expect(await refusal(bus.request(ask, { signal: controller.signal }))).toEqual(cancelled);
    expect(ids).toHaveLength(1);
  });

  test.each(["", "twice"])("cannot have the id %j, which is empty or under way", async (correlationId) => {
    const { bus, ids } = heldBus();
    const first = bus.request({ ...ask, correlationId: "twice" });
    expect(await refusal(bus.request({ ...ask, correlationId }))).toMatchObject(["INPUT_INVALID", {}, {}]);
    bus.publish(response("twice"));
    expect([await first, ids]).toEqual([response("twice"), ["twice"]]);
    const again = bus.request({ ...ask, correlationId: "twice" });
    bus.publish(response("twice"));
    expect(await again).toEqual(response("twice"));
  });

  test("leaves neither a timer nor a listener behind, however it ended", async () => {
    holdTime();
    const { bus, ids } = heldBus();
    const controller = new AbortController();
    const { signal } = controller;
    const answered = bus.request(ask, { signal });
    expect(vi.getTimerCount()).toBe(1);
    bus.publish(response(ids[0] ?? ""));
    await answered;
    const late = refusal(bus.request(ask, { signal, timeoutMs: 1 }));
    vi.advanceTimersByTime(1);
    await late;
    expect([vi.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([0, 0]);
    const cut = [refusal(bus.request(ask, { signal })), refusal(bus.request(ask))];
    controller.abort();
    bus.dispose();
    await Promise.all(cut);
    expect([vi.getTimerCount(), getEventListeners(signal, "abort").length]).toEqual([0, 0]);
  });
});

describe("a bus that was disposed of", () => {
  const DISPOSED = ["BUS_DISPOSED", "The message bus was disposed of.", ADVICE.BUS_DISPOSED];

  test("refuses what it was asked before and what it is asked after", async () => {
    const { bus } = heldBus();
    const waiting = [refusal(bus.request(ask)), refusal(bus.request(ask))];
    bus.dispose();
    bus.dispose();
    expect(await Promise.all([...waiting, refusal(bus.request(ask))])).toEqual([DISPOSED, DISPOSED, DISPOSED]);
  });

  test("delivers nothing any more, and takes no listeners", () => {
    const { bus, ids } = heldBus();
    bus.dispose();
    bus.publish(request("1"));
    expect(ids).toEqual([]);
    expect(() => bus.subscribe(HOOK_EXECUTION_REQUEST, () => {})).toThrow("disposed of");
  });
});
