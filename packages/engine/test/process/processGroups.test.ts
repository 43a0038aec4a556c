import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { groupExists, ProcessGroups } from "../../src/process/processGroups.ts";
import { eventually, fixture, groupMembers } from "../support/fixtures.ts";

const groups = new ProcessGroups();

afterEach(() => groups.dispose());

/** A started hook that is known to the groups; resolves when it has printed or, if it is silent, been started. */
async function start(name: string, { untilItPrints = false } = {}): Promise<{ pid: number; child: ChildProcess }> {
  const child = spawn(fixture(name), { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  groups.add(pid);
  child.on("exit", () => groups.leaderExited(pid));
  if (untilItPrints) await once(child.stdout, "data");
  child.stdout.destroy();
  return { pid, child };
}

test("SIGTERM comes first, and a group that obeys is gone and forgotten", async () => {
  const { pid, child } = await start("sleeps.sh");
  groups.kill(pid, 60_000);
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
  expect(groups.size).toBe(0);
  expect(groupExists(pid)).toBe(false);
});

test("SIGKILL follows after the grace", async () => {
  const { pid, child } = await start("ignores-sigterm.sh", { untilItPrints: true });
  groups.kill(pid, 200);
  groups.kill(pid, 60_000);
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  await eventually(() => expect(groupMembers(pid)).toEqual([]));
  expect(groups.size).toBe(0);
});

test("SIGKILL also reaches those who outlive their leader", async () => {
  const { pid, child } = await start("grandchild-holds-stdout-past-timeout.sh", { untilItPrints: true });
  groups.kill(pid, 500);
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
  expect(groups.size).toBe(1);
  expect(groupMembers(pid)).toHaveLength(1);
  await eventually(() => expect(groupMembers(pid)).toEqual([]));
  expect(groups.size).toBe(0);
});

test("killAll is done when it returns: nobody is waited for, nobody is forgotten", async () => {
  const running = await start("ignores-sigterm.sh", { untilItPrints: true });
  const dying = await start("ignores-sigterm.sh", { untilItPrints: true });
  groups.kill(dying.pid, 60_000);
  groups.killAll();
  expect(groups.size).toBe(0);
  await eventually(() => expect([...groupMembers(running.pid), ...groupMembers(dying.pid)]).toEqual([]));
});

test("a deleted group is let be", async () => {
  const { pid, child } = await start("sleeps.sh");
  groups.delete(pid);
  groups.kill(pid, 0);
  groups.killAll();
  expect(groupMembers(pid)).toEqual([pid]);
  process.kill(-pid, "SIGKILL");
  await once(child, "exit");
});

test("a number that went to a stranger after the group was gone is not signalled", async () => {
  const { pid, child } = await start("sleeps.sh");
  // What the groups would have seen: our leader reaped, members left, and at the end of the grace a process of that number.
  groups.leaderExited(pid);
  groups.killAll();
  expect(groupMembers(pid)).toEqual([pid]);
  process.kill(-pid, "SIGKILL");
  await once(child, "exit");
});

test("any number of systems share one exit listener, and the last to be disposed removes it", async () => {
  const before = process.listenerCount("exit");
  const systems = Array.from({ length: 20 }, () => new ProcessGroups());
  const unused = 2 ** 22 + 1; // beyond the largest process number
  for (const system of systems) system.add(unused);
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const system of systems) system.dispose();
  expect(process.listenerCount("exit")).toBe(before);
});
