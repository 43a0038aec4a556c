import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventually, fixture, groupMembers } from "../support/fixtures.ts";

const EMBEDDER = fileURLToPath(new URL("./embedder.mjs", import.meta.url));

/** Runs the built engine in a program of its own, which ends as told. */
async function embed({ timeoutMs, how, hook }: { timeoutMs: number; how: string; hook: string }) {
  const program = spawn(process.execPath, [EMBEDDER, String(timeoutMs), how, fixture(hook)]);
  const code = new Promise((resolve) => program.on("exit", resolve));
  const [pid, ...lines] = (await text(program.stdout)).trim().split("\n");
  return { code: await code, group: Number(pid), lines };
}

test.each([
  ["calls process.exit()", "exits-while-it-runs", 0],
  ["dies of an uncaught error", "throws-while-it-runs", 1],
])("no hook outlives a program that %s while it runs", async (_, how, code) => {
  const ended = await embed({ timeoutMs: 60_000, how, hook: "ignores-sigterm.sh" });
  expect(ended).toEqual({ code, group: expect.any(Number), lines: [] });
  await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
});

test.each([
  ["calls process.exit()", "exits-after-the-ending"],
  ["falls off its end", "falls-off-the-end"],
])("a hook that ignores SIGTERM is killed when the program %s within the grace", async (_, how) => {
  const ended = await embed({ timeoutMs: 500, how, hook: "ignores-sigterm.sh" });
  expect(ended).toEqual({ code: 0, group: expect.any(Number), lines: ["timedOut"] });
  await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
});

test("a program need not wait for what a hook has left behind, and does not kill it", async () => {
  const ended = await embed({ timeoutMs: 60_000, how: "falls-off-the-end", hook: "grandchild-holds-stdout.sh" });
  expect(ended).toEqual({ code: 0, group: expect.any(Number), lines: ["exited"] });
  expect(groupMembers(ended.group)).toHaveLength(1);
  await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
});
