import { expect, test } from "vitest";
import { BackgroundRuns } from "../../../src/hooks/run/backgroundRuns.ts";
import { eventually } from "../../support/fixtures.ts";
import { CALL, commandHook, testSystem } from "../../support/system.ts";

test("each hook runs one event at a time, in their order, and all together within the bound", async () => {
  const background = new BackgroundRuns(() => 2);
  const [order, running, seen] = [new Map<object, number[]>(), new Set<object>(), { most: 0, twice: false }];
  const hooks = [{}, {}, {}, {}];
  for (let nth = 0; nth < 10; nth++) {
    for (const hook of hooks) {
      background.start(hook, async () => {
        seen.twice ||= running.has(hook);
        running.add(hook);
        seen.most = Math.max(seen.most, running.size);
        order.set(hook, [...(order.get(hook) ?? []), nth]);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running.delete(hook);
      });
    }
  }
  await background.settle();
  expect(seen).toEqual({ most: 2, twice: false });
  expect([...order.values()]).toEqual(hooks.map(() => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
});

test("a run that fails does not hold up the next, and what waits is abandoned with what runs", async () => {
  const background = new BackgroundRuns(() => 1);
  const ended: string[] = [];
  const hook = {};
  background.start(hook, () => Promise.reject(new Error("x")));
  const untilAborted = (name: string) => (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => [ended.push(name), resolve()];
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
  background.start(hook, untilAborted("runs"));
  background.start({}, untilAborted("waits"));
  background.abandon();
  await background.settle();
  expect(ended.toSorted()).toEqual(["runs", "waits"]);
});

test("slow hooks that do not block leave slots for the guards", async () => {
  const slow = { type: "command", name: "slow", command: "sleep 30", blocking: false };
  const guard = { type: "command", name: "guard", command: "echo no >&2; exit 2", timeout: "10s" };
  const { handler, recorded } = await testSystem({
    ...commandHook("AfterTool", "sleep 30", { blocking: false }),
    BeforeTool: [{ hooks: [slow, guard] }],
  });
  const fired = await Promise.all(Array.from({ length: 40 }, () => handler.fireBeforeToolEvent(CALL)));
  expect(fired.every(({ finalOutput }) => finalOutput?.isBlockingDecision())).toBe(true);
  await eventually(() =>
    expect(recorded("hookStarted").filter(({ hook }) => hook.config.name === "slow")).toHaveLength(1),
  );
});
