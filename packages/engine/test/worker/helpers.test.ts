import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { eventually, groupMembers } from "../support/fixtures.ts";
import { hasProgram } from "../support/programs.ts";
import { CALL, testSystem } from "../support/system.ts";
import { workerCommand, workerFixture, workerSystem } from "../support/workers.ts";

const HELPERS = [
  { language: "Node", command: workerCommand(workerFixture("helped.mjs"), process.execPath), runs: true },
  { language: "Python", command: workerCommand(workerFixture("helped.py"), "python3"), runs: hasProgram("python3") },
];

describe.each(HELPERS)("a worker made with the helper for $language", ({ command, runs, language }) => {
  test.skipIf(!runs)("answers many events from one process", async () => {
    const { pid } = await workerSystem(command);
    const first = await pid();
    expect([await pid(), await pid()]).toEqual([first, first]);
  });

  test.skipIf(!runs)("gets the input whole, whatever characters are in it", async () => {
    const { handler } = await workerSystem(command);
    const strange = { content: "echo", text: 'quo"te \\ \u2028 \u0000 𝄞 é\nline', list: [1, 2.5, null, true], "": {} };
    const { finalOutput } = await handler.fireBeforeToolEvent({ ...CALL, tool_input: strange });
    expect(JSON.parse(finalOutput?.systemMessage ?? "")).toEqual(strange);
  });

  test.skipIf(!runs)("fails on events it has no function for, and says so", async () => {
    const hooks = [{ hooks: [{ type: "worker", command, timeout: "10s" }] }];
    const { handler } = await testSystem({ BeforeAgent: hooks, PreCompress: hooks });
    const { finalOutput } = await handler.fireBeforeAgentEvent({ prompt: "hello" });
    expect(finalOutput?.systemMessage).toBe("BeforeAgent: hello");
    const { success, errors } = await handler.firePreCompressEvent({ trigger: "auto" });
    expect(success).toBe(false);
    expect(errors[0]?.message).toContain("no function for PreCompress; it has BeforeTool, BeforeAgent");
  });

  test.skipIf(!runs)("sends what it prints by accident to standard error", async () => {
    const child = spawn("sh", ["-c", `exec ${command}`], { stdio: "pipe" });
    const streams = Promise.all([text(child.stdout), text(child.stderr)]);
    child.stdin.end(`${JSON.stringify({ id: 1, event: "BeforeTool", input: { tool_input: { content: "print" } } })}\n`);
    const [stdout, stderr] = await streams;
    expect(JSON.parse(stdout)).toEqual({ id: 1, output: { systemMessage: "printed" } });
    expect(stderr.split("\n").filter((line) => line.startsWith("by "))).toHaveLength(language === "Node" ? 2 : 3);
  });

  test.skipIf(!runs)("tells a function that it was cancelled, and is kept when the function obeys", async () => {
    const { tell, pid } = await workerSystem(command, { timeout: "1500ms" });
    const first = await pid();
    expect((await tell("wait-for-the-cancel")).failure).toMatchObject({ kind: "timedOut" });
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(await pid()).toBe(first);
  });

  test.skipIf(!runs)("is ended and started again when a function blocks it", async () => {
    const { tell, pid } = await workerSystem(command, { timeout: "1500ms" });
    const first = await pid();
    expect((await tell("block-its-thread")).failure).toMatchObject({ kind: "timedOut" });
    await eventually(() => expect(groupMembers(first)).toEqual([]));
    expect(await pid()).not.toBe(first);
  });

  test.skipIf(!runs)("ends by itself when its input ends", () => {
    const { status, signal } = spawnSync("sh", ["-c", `exec ${command}`], { input: "", timeout: 10_000 });
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  });

  test.skipIf(!runs)("answers two hundred requests at once, each with its own", async () => {
    const { handler } = await workerSystem(command);
    const answers = Array.from({ length: 200 }, async (_, i) => {
      const tool_input = { content: "echo", i };
      const { finalOutput } = await handler.fireBeforeToolEvent({ ...CALL, tool_input });
      return JSON.parse(finalOutput?.systemMessage ?? "{}").i;
    });
    expect(await Promise.all(answers)).toEqual(answers.map((_, i) => i));
  });
});

describe("the helper for Node", () => {
  const { command } = workerHelper("Node");

  test("waits for promises, and reports one that rejects", async () => {
    const { tell } = await workerSystem(command);
    expect((await tell("answer-later")).said).toBe("later");
    expect((await tell("reject")).failure).toMatchObject({ message: expect.stringContaining("a rejection") });
  });

  test("sends what a Map holds, and reports an error that is returned", async () => {
    const { tell } = await workerSystem(command);
    expect((await tell("return-a-map")).said).toBe("from a map");
    expect((await tell("return-an-error")).failure).toMatchObject({
      message: expect.stringContaining("a returned error"),
    });
  });

  test("lets a function go that ignores the cancel, since nobody else has to wait for it", async () => {
    const { tell, pid } = await workerSystem(command, { timeout: "1500ms" });
    const first = await pid();
    expect((await tell("sleep-and-ignore-the-cancel")).failure).toMatchObject({ kind: "timedOut" });
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(await pid()).toBe(first);
  });
});

describe.skipIf(!workerHelper("Python").runs)("the helper for Python", () => {
  const { command } = workerHelper("Python");

  test.each(["answer-with-what-is-no-json", "answer-with-nan", "exit"])(
    "survives a function that tries to %s",
    async (what) => {
      const { tell } = await workerSystem(command);
      expect((await tell(what)).failure).toMatchObject({ kind: "reported" });
      expect((await tell("answer")).success).toBe(true);
    },
  );

  test("runs functions side by side, so that a slow one delays nobody", async () => {
    const { tell } = await workerSystem(command);
    await tell("answer");
    const startedAt = performance.now();
    const slow = Array.from({ length: 8 }, () => tell("sleep"));
    expect((await Promise.all(slow)).map(({ said }) => said)).toEqual(slow.map(() => "slept"));
    expect(performance.now() - startedAt).toBeLessThan(8 * 300);
  });
});

function workerHelper(wanted: string) {
  const found = HELPERS.find(({ language }) => language === wanted);
  if (!found) throw new Error(`no helper for ${wanted}`);
  return found;
}
