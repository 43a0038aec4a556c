import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapInSlices, mapInTurn } from "../../../src/config/values/slices.ts";
import { lookedUpOnce, withSameAnswers } from "../../../src/process/sameAnswers.ts";

test("work that takes long lets the event loop go on, and asks each question once", async () => {
  const asked: string[] = [];
  const look = lookedUpOnce((key) => {
    asked.push(key);
    return key.toUpperCase();
  });
  let turns = 0;
  const counting = (async () => {
    for (; turns < 1_000; turns++) await setImmediate();
  })();
  const results = await mapInSlices(["a", "b", "a", "b"], (key) => {
    const until = performance.now() + 30;
    while (performance.now() < until);
    return look(key);
  });
  const turnsMeanwhile = turns;
  turns = 1_000;
  await counting;
  expect(results).toEqual(["A", "B", "A", "B"]);
  expect(asked).toEqual(["a", "b"]);
  expect(turnsMeanwhile).toBeGreaterThanOrEqual(2);
});

test("outside of such work, and in other work, the question is asked anew", () => {
  let answer = 0;
  const look = lookedUpOnce(() => ({ answer: ++answer }));
  const works = [{}, {}];
  const answers = works.map((work) => withSameAnswers(work, () => [look("x").answer, look("x").answer]));
  expect([...answers, look("x").answer, look("x").answer]).toEqual([[1, 1], [2, 2], 3, 4]);
});

test("work that waits is done one after the other, and lets the event loop go on", async () => {
  let [open, most, turns, isDone] = [0, 0, 0, false];
  const counting = (async () => {
    for (; !isDone; turns++) await setImmediate();
  })();
  const results = await mapInTurn(["a", "b", "c"], async (key) => {
    most = Math.max(most, ++open);
    const until = performance.now() + 30;
    while (performance.now() < until);
    await Promise.resolve();
    open--;
    return key.toUpperCase();
  });
  const turnsMeanwhile = turns;
  isDone = true;
  await counting;
  expect(results).toEqual(["A", "B", "C"]);
  expect(most).toBe(1);
  expect(turnsMeanwhile).toBeGreaterThanOrEqual(1);
});

test("nothing to do is done", async () => {
  expect(await mapInSlices([], () => 1)).toEqual([]);
  expect(await mapInTurn([], async () => 1)).toEqual([]);
});
