import { expect, test } from "vitest";
import { bucketOf, upperBoundUs } from "../../../journal/src/records/latencyBuckets.ts";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { cells, event, RecordedMachine, runIn } from "./queriesJournal.ts";

const DAY_MS = 86_400_000;
const AUDIT = { name: "audit", source: "user", type: "http" };

/** 100 runs of the guard, of which 10 block, 5 fail, 2 ask and one is slow; three of audit, a week ago. */
function busy(): RecordedMachine {
  const machine = new RecordedMachine();
  const events = Array.from({ length: 100 }, (_, nth) => {
    const plain = event(nth % 50, { eventId: `event-${nth}` });
    const outcome = nth < 10 ? "block" : nth < 15 ? "failed" : nth < 17 ? "ask" : "allow";
    return { ...plain, runs: [runIn(plain, { outcome, durationMs: nth === 99 ? 2_000 : 5 })] };
  });
  const old = [1, 2, 3].map((nth) => {
    const plain = event(nth, { event: "AfterTool", eventId: `old-${nth}`, at: Date.now() - 7 * DAY_MS });
    return { ...plain, runs: [runIn(plain, { hook: AUDIT, durationMs: 0.05 })] };
  });
  const skipping = event(1, { eventId: "skip", skipped: [{ hook: AUDIT, reason: "its circuit is open" }] });
  const unmatched = { kind: "unmatched", at: Date.now(), session: "s", turn: 0, counts: { AfterModel: 40 } } as const;
  return machine.append(...old, ...events, skipping, unmatched);
}

test("a name that was mistyped is not taken for a hook that never ran", async () => {
  const { stdout } = await busy().run(["stats", "--hook", "audits"]);
  expect(stdout).toBe('No hook called "audits" is in the journal. Did you mean "audit"?\n');
});

test("each hook has its runs, percentiles, objections, failures, a histogram and its last outcome", async () => {
  const { code, stdout, stderr } = await busy().run(["stats"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [hooks = "", events = ""] = stdout.split("\n\n");
  const [head, guard, audit, legend] = hooks.split("\n");
  expect(head?.split(/ {2,}/)).toEqual([
    "hook",
    "source",
    "runs",
    "p50",
    "p95",
    "p99",
    "block",
    "ask",
    "fail",
    "skip",
    ".1",
    "10",
    "1s",
    "last",
  ]);
  const bound = `${(upperBoundUs(bucketOf(5_000)) / 1_000).toFixed(1)} ms`;
  expect(guard).toMatch(
    new RegExp(`^guard +project +100 +${bound} +${bound} +${bound} +10 +2 +5 +0 +█    ▁   allow \\d+ (s|min) ago$`),
  );
  expect(audit).toMatch(/^audit +user +3 +0\.05 ms +0\.05 ms +0\.05 ms +0 +0 +0 +1 {2}█ {12}skipped \d+ (s|min) ago$/);
  expect(legend).toContain("latency");
  expect(cells(events)).toEqual([
    ["event", "matched", "unmatched"],
    ["BeforeTool", "101", "0"],
    ["AfterModel", "0", "40"],
    ["AfterTool", "3", "0"],
  ]);
});

test("only objections that took effect are counted; failures are, whoever failed", async () => {
  const outcomes = ["block", "stop", "ask", "failed", "block"] as const;
  const events = outcomes.map((outcome, nth) => {
    const plain = event(nth, { eventId: `event-${nth}` });
    const watcher = runIn(plain, { hook: { ...AUDIT, name: "watcher" }, applied: false, pass: "observe", outcome });
    return { ...plain, runs: [runIn(plain, { outcome }), watcher] };
  });
  const { stdout } = await new RecordedMachine().append(...events).run(["stats", "--json"]);
  const { hooks } = JSON.parse(stdout);
  expect(
    hooks.map(({ hook, runs, blocks, asks, failures, last }: Record<string, unknown>) => ({
      hook,
      counts: [runs, blocks, asks, failures],
      last,
    })),
  ).toMatchObject([
    { hook: "guard", counts: [5, 3, 1, 1], last: { outcome: "block" } },
    { hook: "watcher", counts: [5, 0, 0, 1], last: { outcome: "would block" } },
  ]);
});

test("usages that hooks recorded are counted by hook and day, and have a column where there are any", async () => {
  const machine = busy();
  const answers = [true, true, false, undefined].map((usageRecorded, nth) => {
    const at = Date.now() - (nth === 0 ? 7 * DAY_MS : 0);
    const plain = event(nth, { event: "PostAbilityCall", eventId: `used-${nth}`, at });
    const said = usageRecorded === undefined ? {} : { usageRecorded };
    // Hooks of this event do not block, as a rule.
    return { ...plain, runs: [runIn(plain, { hook: { ...AUDIT, name: "tracker" }, applied: false, ...said })] };
  });
  machine.append(...answers);
  const { stdout } = await machine.run(["stats"]);
  const [head, ...rows] = cells(stdout.split("\n\n")[0] ?? "");
  expect(head?.slice(6, 12)).toEqual(["block", "ask", "fail", "skip", "usage", ".1"]);
  expect(rows.slice(0, 3).map((row) => [row[0], row[10]])).toEqual([
    ["guard", "0"],
    ["tracker", "2"],
    ["audit", "0"],
  ]);
  const usagesIn = async (...options: string[]) => {
    const { hooks } = JSON.parse((await machine.run(["stats", "--json", ...options])).stdout);
    return hooks.map(({ hook, usages }: Record<string, unknown>) => ({ hook, usages }));
  };
  expect(await usagesIn("--since", "2d", "--hook", "tracker")).toEqual([{ hook: "tracker", usages: 1 }]);
  expect(await usagesIn("--hook", "guard")).toEqual([{ hook: "guard", usages: 0 }]);
});

test("a hook that answers `usage_recorded: true` has recorded one", async () => {
  const answer = (usage_recorded: boolean) => `echo '${JSON.stringify({ usage_recorded })}'`;
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("PostAbilityCall", [
      { name: "tracker", blocking: true, command: answer(true) },
      { name: "idle", blocking: true, command: answer(false) },
    ]),
  });
  await machine.cli(["fire", "PostAbilityCall", "--trust-project"]);
  const { hooks } = JSON.parse((await machine.run(["stats", "--json"])).stdout);
  expect(hooks).toMatchObject([
    { hook: "idle", runs: 1, usages: 0 },
    { hook: "tracker", runs: 1, usages: 1 },
  ]);
});

test("--json has the same for programs", async () => {
  const { stdout } = await busy().run(["stats", "--hook", "audit", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    from: null,
    hooks: [
      {
        hook: "audit",
        source: "user",
        runs: 3,
        blocks: 0,
        asks: 0,
        failures: 0,
        skips: 1,
        usages: 0,
        p50Ms: 0.05,
        p95Ms: 0.05,
        p99Ms: 0.05,
        maxMs: 0.05,
        latency: [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        last: {
          outcome: "skipped",
          at: new Date(event(1).at).toISOString(),
          event: "BeforeTool",
          reason: "its circuit is open",
        },
      },
    ],
    events: [],
  });
});

test("--since counts whole UTC days, and says so where it cuts into one", async () => {
  const machine = busy();
  const { stdout } = await machine.run(["stats", "--since", "2d"]);
  const from = new Date(Math.floor((Date.now() - 2 * DAY_MS) / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
  expect(stdout).toContain(`Counted by whole UTC days: from ${from}T00:00Z.`);
  expect(stdout).not.toContain("AfterTool");
  const whole = await machine.run(["stats", "--since", `${from}T00:00Z`]);
  expect(whole.stdout).not.toContain("Counted by");
  const { hooks, ...rest } = JSON.parse((await machine.run(["stats", "--since", "2d", "--json"])).stdout);
  expect(rest.from).toBe(`${from}T00:00:00.000Z`);
  expect(hooks.map(({ hook, runs, skips }: Record<string, unknown>) => ({ hook, runs, skips }))).toEqual([
    { hook: "guard", runs: 100, skips: 0 },
    { hook: "audit", runs: 0, skips: 1 },
  ]);
});

test("where the locale is not UTF-8, histograms are letters", async () => {
  const { stdout } = await busy().run(["stats"], { env: { LC_ALL: "POSIX" } });
  expect(stdout).toMatch(/^guard .* @ {4}\. /m);
});

test("where nothing was recorded, that is said", async () => {
  const machine = new Machine();
  expect(await machine.cli(["stats"])).toEqual({ code: 0, stdout: "Nothing is recorded here yet.\n", stderr: "" });
  const { stdout } = await machine.cli(["stats", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ from: null, hooks: [], events: [] });
});

test("a mistaken --since is said", async () => {
  const { code, stderr } = await new Machine().run(["stats", "--since", "ages"]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/--since must be .*, got "ages"/) });
});
