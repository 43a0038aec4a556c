import { setMaxListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { ProcessEnding } from "../../src/process/ending.ts";
import { ProcessSlots } from "../../src/process/processSlots.ts";
import { runWhenPossible } from "../../src/process/runWhenPossible.ts";
import { isShortage, Patience } from "../../src/process/shortage.ts";

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const NOTHING = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };
const EXITED: ProcessEnding = { kind: "exited", code: 0, leftBehind: false, ...NOTHING };
const failing = (code: string): ProcessEnding => ({
  kind: "notStarted",
  cause: Object.assign(new Error(`spawn ${code}`), { code }),
});

describe("slots", () => {
  test("bound how many run at once, and serve those that wait in order", async () => {
    const slots = new ProcessSlots(() => 3);
    const started: number[] = [];
    const [running, most] = [new Set<number>(), { seen: 0 }];
    const all = Array.from({ length: 20 }, (_, nth) =>
      runWhenPossible(
        async () => {
          started.push(nth);
          running.add(nth);
          most.seen = Math.max(most.seen, running.size);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running.delete(nth);
          return EXITED;
        },
        slots,
        NEVER,
      ),
    );
    await Promise.all(all);
    expect(most.seen).toBe(3);
    expect(started).toEqual(Array.from({ length: 20 }, (_, nth) => nth));
  });

  test("are given back by a run that throws", async () => {
    const slots = new ProcessSlots(() => 1);
    const throws = () => Promise.reject(new Error("our bug"));
    await expect(runWhenPossible(throws, slots, NEVER)).rejects.toThrow("our bug");
    expect(slots.tryTake()).toBe(true);
  });

  test("that never come free end the wait as noCapacity, and the caller's abort as aborted", async () => {
    const slots = new ProcessSlots(() => 1, 50);
    slots.tryTake();
    expect((await runWhenPossible(async () => EXITED, slots, NEVER)).ending).toMatchObject({ kind: "noCapacity" });
    const slow = new ProcessSlots(() => 0);
    const controller = new AbortController();
    const run = runWhenPossible(async () => EXITED, slow, controller.signal);
    controller.abort();
    expect((await run).ending).toEqual({ kind: "aborted", ...NOTHING });
  });

  test("that were given up are not handed out", async () => {
    const slots = new ProcessSlots(() => 1);
    slots.tryTake();
    const controller = new AbortController();
    const gaveUp = slots.take(new Patience(10_000, controller.signal));
    const waits = slots.take(new Patience(10_000));
    controller.abort();
    slots.release();
    expect([await gaveUp, await waits, slots.tryTake()]).toEqual([false, true, false]);
  });
});

describe("a shortage", () => {
  test.each(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"])(
    "of %s is waited for, and not counted as the run's time",
    async (code) => {
      const endings = [failing(code), failing(code), EXITED];
      const { ending, waitedMs } = await runWhenPossible(
        async () => endings.shift() ?? EXITED,
        new ProcessSlots(() => 1),
        NEVER,
      );
      expect(ending).toEqual(EXITED);
      expect(waitedMs).toBeGreaterThan(10);
    },
  );

  test("that does not pass is an ending of its own; any other failure to start is none", async () => {
    const slots = new ProcessSlots(() => 1, 50);
    const { ending } = await runWhenPossible(async () => failing("EMFILE"), slots, NEVER);
    expect(ending).toMatchObject({ kind: "noCapacity", cause: { message: "spawn EMFILE" } });
    expect((await runWhenPossible(async () => failing("ENOENT"), slots, NEVER)).ending.kind).toBe("notStarted");
  });

  test("is also one where it is the cause of another error", () => {
    const cause = Object.assign(new Error("open"), { code: "EMFILE" });
    expect(isShortage(new Error("the plugin cannot be loaded", { cause }))).toBe(true);
    expect([isShortage(new Error("x")), isShortage("EMFILE"), isShortage(undefined)]).toEqual([false, false, false]);
  });
});
