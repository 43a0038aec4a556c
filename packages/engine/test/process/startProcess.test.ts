import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../../src/process/startProcess.ts";
import { eventually, RememberedGroups } from "../support/fixtures.ts";

const env = { PATH: process.env.PATH ?? "" };

function started(argv: readonly [string, ...string[]], killGraceMs = 200) {
  const groups = new RememberedGroups();
  onTestFinished(() => groups.dispose());
  return { groups, process: startProcess({ argv, cwd: tmpdir(), env, killGraceMs }, groups) };
}

test("a process that stays is talked to over its pipes, and ends with its input", async () => {
  const { groups, process } = started(["cat"]);
  const cat = await process;
  cat.stdin.write("hello\n");
  expect(String((await once(cat.stdout, "data"))[0])).toBe("hello\n");
  expect(await cat.end(60_000)).toEqual({ kind: "exited", code: 0 });
  expect(groups.size).toBe(0);
});

test("one that will not go is ended with its children", async () => {
  const { groups, process } = started(["sh", "-c", "trap '' TERM; sleep 600 & echo up; while :; do sleep 1; done"]);
  const stubborn = await process;
  await once(stubborn.stdout, "data");
  expect(await stubborn.end(10)).toEqual({ kind: "killed", signal: "SIGKILL" });
  await eventually(() => groups.members().length === 0);
});

test("what it leaves behind is ended with it, and its last words are read before its end is told", async () => {
  const { groups, process } = started(["sh", "-c", "sleep 600 & echo last words >&2; exit 3"]);
  const leaving = await process;
  let words = "";
  leaving.stderr.on("data", (chunk) => {
    words += chunk;
  });
  expect(await leaving.ended).toEqual({ kind: "exited", code: 3 });
  expect(words).toBe("last words\n");
  await eventually(() => groups.members().length === 0);
});

test("one that cannot be started is refused in words", async () => {
  await expect(started(["/no/such/program"]).process).rejects.toThrow("/no/such/program does not exist.");
});
