import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { RunAbort } from "../../../src/hooks/run/runAbort.ts";
import { eventually } from "../../support/fixtures.ts";
import { CALL, commandHook, testSystem } from "../../support/system.ts";

/** A run, and how often its listener was called. */
function runOf(caller?: AbortSignal) {
  const run = new RunAbort(caller);
  const calls = { count: 0 };
  run.addEventListener("abort", () => {
    calls.count += 1;
  });
  return { run, calls };
}

describe("a run", () => {
  test("is aborted once, by its caller or by the hook system", () => {
    const caller = new AbortController();
    const { run, calls } = runOf(caller.signal);
    expect([run.aborted, calls.count]).toEqual([false, 0]);
    caller.abort();
    run.abort();
    expect([run.aborted, calls.count]).toEqual([true, 1]);
    const alone = runOf();
    alone.run.abort();
    alone.run.abort();
    expect([alone.run.aborted, alone.calls.count]).toEqual([true, 1]);
  });

  test("of a caller who aborted before is aborted from the start", () => {
    expect(new RunAbort(AbortSignal.abort()).aborted).toBe(true);
  });

  test("does not call a listener that was removed, also while the others are called", () => {
    const run = new RunAbort(undefined);
    const called: string[] = [];
    const [second, third] = [() => called.push("second"), () => called.push("third")];
    run.addEventListener("abort", () => {
      called.push("first");
      run.removeEventListener("abort", third);
    });
    for (const listener of [second, third]) run.addEventListener("abort", listener);
    run.removeEventListener("abort", second);
    run.abort();
    expect(called).toEqual(["first"]);
  });

  test("that has ended is not aborted, and other runs of its caller are", () => {
    const caller = new AbortController();
    const [ended, open] = [runOf(caller.signal), runOf(caller.signal)];
    ended.run.release();
    caller.abort();
    expect([ended.run.aborted, open.run.aborted]).toEqual([false, true]);
  });
});

describe("the signal of a caller", () => {
  test("has one listener while runs are open, and none after the last has ended", () => {
    const { signal } = new AbortController();
    const runs = Array.from({ length: 20 }, () => new RunAbort(signal));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const run of runs) run.release();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    new RunAbort(signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });

  test("ends the command hooks of an event, and keeps no listener", async () => {
    const hooks = ["sleep 60", "sleep 61", "sleep 62"].map((command) => ({ type: "command", command }));
    const { handler, recorded } = await testSystem({ BeforeTool: [{ hooks }] });
    const caller = new AbortController();
    const fired = handler.fireBeforeToolEvent(CALL, { signal: caller.signal });
    await eventually(() => expect(recorded("hookStarted")).toHaveLength(3));
    caller.abort();
    await fired;
    expect(recorded("hookEnded").map(({ failure }) => failure?.kind)).toEqual(["aborted", "aborted", "aborted"]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });

  test("keeps no listener of command hooks that ended by themselves", async () => {
    const { handler } = await testSystem(commandHook("BeforeTool", "true"));
    const { signal } = new AbortController();
    expect(await handler.fireBeforeToolEvent(CALL, { signal })).toMatchObject({ success: true });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
