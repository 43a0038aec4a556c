import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { eventually, groupMembers, isAlive, openDescriptors } from "../support/fixtures.ts";
import { CALL, temporaryFolder, testSystem } from "../support/system.ts";
import { workerCommand, workerFixture, workerHook, workerSystem } from "../support/workers.ts";

const DOES_AS_TOLD = workerCommand(workerFixture("does-as-told.mjs"), process.execPath);
const OBJECTION = { decision: "block", reason: "I object" };

describe("a worker", () => {
  test("is started on first use and answers many events from one process", async () => {
    const { pid } = await workerSystem(DOES_AS_TOLD);
    const first = await pid();
    expect([await pid(), await pid(), await pid()]).toEqual([first, first, first]);
  });

  test("is one per command and environment, however many hooks and events it serves", async () => {
    const hook = (name: string, env: Record<string, string>) => ({ type: "worker", name, command: DOES_AS_TOLD, env });
    const { handler } = await testSystem({
      BeforeTool: [{ hooks: [hook("a", {}), hook("b", { COLOUR: "red" })] }],
      AfterTool: [{ hooks: [hook("c", {})] }],
    });
    const call = { ...CALL, tool_input: { content: "answer" } };
    const before = await handler.fireBeforeToolEvent(call);
    const after = await handler.fireAfterToolEvent({ ...call, tool_response: { llmContent: "", returnDisplay: "" } });
    const [a, b] = before.allOutputs.map(({ systemMessage }) => systemMessage);
    expect(a).not.toBe(b);
    expect(after.allOutputs.map(({ systemMessage }) => systemMessage)).toEqual([a]);
  });

  test("has the environment of a hook, but for what belongs to one event or session", async () => {
    const { tell, dir } = await workerSystem(DOES_AS_TOLD, { env: { COLOUR: "red" } });
    const env: Record<string, string> = JSON.parse((await tell("tell-its-environment")).said ?? "");
    expect(env).toMatchObject({ COLOUR: "red", HOOKLINE_PROJECT_DIR: dir, GEMINI_PROJECT_DIR: dir });
    expect(Object.keys(env).filter((name) => /SESSION_ID|HOOKLINE_EVENT/.test(name))).toEqual([]);
  });

  test("may answer in any order", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    const asked = ["hold-on", "hold-on", "hold-on", "release-in-reverse"];
    const answers = await Promise.all(asked.map((what) => tell(what)));
    const ids = answers.map(({ said }) => /^answer to (\d+)$/.exec(said ?? "")?.[1]);
    expect(new Set(ids).size).toBe(asked.length);
  });

  test.each([
    ["answer-null", { success: true, output: undefined }],
    ["answer-text", { success: true, said: "just words" }],
    ["answer-json-in-text", { success: true, output: OBJECTION }],
    ["answer-byte-by-byte", { success: true, output: OBJECTION }],
    ["answer-a-number", { success: false, failure: { kind: "badAnswer" } }],
    [
      "report-an-error",
      { success: false, failure: { kind: "reported", message: expect.stringContaining("the database is away") } },
    ],
    ["report-an-error-and-object", { success: false, output: OBJECTION, failure: { kind: "reported" } }],
  ])("that tells %s is read like any other hook", async (what, expected) => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    expect(await tell(what)).toMatchObject(expected);
  });

  test("is asked under ids that cannot be guessed, so that a line it only prints is no answer", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    expect(await tell("forge-answers")).toMatchObject({ success: true, output: OBJECTION });
    const ids: number[] = [];
    for (let i = 0; i < 200; i++) ids.push(Number((await tell("tell-the-id")).said));
    expect(new Set(ids).size).toBe(200);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
    expect(ids.filter((id) => id < 2 ** 40).length).toBeLessThan(20);
    const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0));
    expect(new Set(steps).size).toBe(200);
  });

  test("answers for sixty-four events at once, each with its own", async () => {
    const { handler } = await workerSystem(DOES_AS_TOLD);
    const all = Array.from({ length: 64 }, (_, i) =>
      handler.fireBeforeToolEvent({ ...CALL, tool_input: { content: "answer" }, tool_call_id: `call-${i}` }),
    );
    expect((await Promise.all(all)).every(({ success }) => success)).toBe(true);
  });
});

describe("a worker that goes wrong", () => {
  test("by dying mid-request fails that request with its exit code, and is started again for the next", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD);
    const first = await pid();
    expect((await tell("die")).failure).toMatchObject({
      kind: "died",
      exitCode: 3,
      message: expect.stringContaining("exited with code 3"),
    });
    expect((await tell("be-killed")).failure).toMatchObject({ kind: "died", signal: "SIGKILL" });
    expect(await pid()).not.toBe(first);
  });

  test("by never starting says why", async () => {
    const { tell } = await workerSystem(workerCommand(workerFixture("interpreter-missing.sh")));
    const { success, failure } = await tell("answer");
    expect(success).toBe(false);
    expect(failure).toMatchObject({ kind: "notStarted", message: expect.stringContaining("interpreter") });
  });

  test("by exiting at once, every time, fails each event with what it said, ever more slowly, and never for long", async () => {
    const { tell } = await workerSystem(workerCommand(workerFixture("exits-at-once.sh")));
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const startedAt = performance.now();
      const { failure } = await tell("answer");
      times.push(performance.now() - startedAt);
      expect(failure).toMatchObject({ kind: "died", exitCode: 7, message: expect.stringContaining("no luck today") });
    }
    expect(times.at(-1)).toBeGreaterThan(150); // 200 ms of pause by then
    expect(Math.max(...times)).toBeLessThan(3_000);
  });

  test("by answering twice has failed, neither answer counts, and it goes on working", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    const { failure, said } = await tell("answer-twice");
    expect(failure).toMatchObject({
      kind: "badAnswer",
      message: expect.stringContaining("answered one request more than once"),
    });
    expect(said).toBeUndefined();
    expect((await tell("answer")).success).toBe(true);
  });

  test("by answering once more when the event is over is told so in its log", async () => {
    const { tell, recorded } = await workerSystem(DOES_AS_TOLD);
    expect((await tell("answer-once-more-later")).said).toBe("first");
    expect((await tell("answer-slowly")).success).toBe(true);
    expect(recorded("hookEnded")[1]?.ending).toMatchObject({ stderr: expect.stringContaining("which is not open") });
  });

  test.each([["allow-then-object"], ["object-then-allow"]])(
    "by telling %s about one request has failed, and its objection stands",
    async (what) => {
      const { tell } = await workerSystem(DOES_AS_TOLD);
      expect(await tell(what)).toMatchObject({ failure: { kind: "badAnswer" }, output: { decision: "block" } });
    },
  );

  test("by printing its requests is heard all the same", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    expect(await tell("print-the-request")).toMatchObject({ success: true, output: OBJECTION });
  });

  test("by printing a line that is nested too deep is heard all the same", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    expect((await tell("print-something-deep")).success).toBe(true);
  });

  test("by answering an unknown id is not heard, and the timeout tells of it", async () => {
    const { tell, recorded } = await workerSystem(DOES_AS_TOLD, { timeout: "1500ms" });
    expect((await tell("answer-an-unknown-id")).failure).toMatchObject({ kind: "timedOut" });
    expect(recorded("hookEnded")[0]?.ending).toMatchObject({ stderr: expect.stringContaining("999999") });
  });

  test("by being no worker at all is timed out, and told what a worker does", async () => {
    const { tell } = await workerSystem("cat > /dev/null", { timeout: "300ms" });
    const { failure, ending } = await tell("answer");
    expect(failure).toMatchObject({ kind: "timedOut" });
    expect(ending).toMatchObject({
      stderr: expect.stringContaining("a worker must answer every line it reads with one line"),
    });
  });

  test("by never answering is timed out, killed when it ignores the cancel, and started again", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD, { timeout: "1500ms" });
    const first = await pid();
    const startedAt = performance.now();
    expect((await tell("answer-nothing")).failure).toMatchObject({ kind: "timedOut" });
    expect(performance.now() - startedAt).toBeLessThan(2_400); // it does not wait for the kill
    expect(await pid()).toBe(first);
    await eventually(() => expect(groupMembers(first)).toEqual([]));
    expect(await pid()).not.toBe(first);
  });

  test("by being slow is kept when it answers the cancel, and what it answers is dropped", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD, { timeout: "1500ms" });
    const first = await pid();
    expect((await tell("answer-when-cancelled")).failure).toMatchObject({ kind: "timedOut" });
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(await pid()).toBe(first);
  });

  test("by blocking its thread is killed, and whoever else waited for it is told", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD, { timeout: "1500ms" });
    const first = await pid();
    expect((await tell("block-its-thread")).failure).toMatchObject({ kind: "timedOut" });
    const { failure } = await tell("answer");
    expect(failure).toMatchObject({ kind: "died", message: expect.stringContaining("did not answer a cancel") });
    expect(await pid()).not.toBe(first);
  });

  test("by answering too much has failed, and its objection stands", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    const { failure, output } = await tell("answer-too-much");
    expect(failure).toMatchObject({ kind: "badAnswer", message: expect.stringContaining("outputLimit") });
    expect(output).toMatchObject(OBJECTION);
    expect((await tell("answer")).success).toBe(true);
  });

  test.each([["answer-half-a-line-and-die"], ["answer-without-output"], ["answer-broken-json"]])(
    "by telling %s has failed, and its objection stands",
    async (what) => {
      const { tell } = await workerSystem(DOES_AS_TOLD);
      expect(await tell(what)).toMatchObject({ success: false, failure: { kind: "badAnswer" }, output: OBJECTION });
      expect((await tell("answer")).success).toBe(true);
    },
  );

  test.each([["answer-half-a-line"], ["answer-without-newline"]])(
    "by telling %s and staying is timed out, and its objection stands",
    async (what) => {
      const { tell } = await workerSystem(DOES_AS_TOLD, { timeout: "1500ms" });
      expect(await tell(what)).toMatchObject({ failure: { kind: "timedOut" }, output: OBJECTION });
    },
  );

  test("by flooding its log is heard all the same, and little of the log is kept", async () => {
    const { tell, recorded } = await workerSystem(DOES_AS_TOLD);
    expect((await tell("flood-its-log")).success).toBe(true);
    const ending = recorded("hookEnded")[0]?.ending;
    expect(ending).toMatchObject({ kind: "answered" });
    expect(ending && "stderr" in ending && ending.stderr.length).toBeLessThanOrEqual(8 * 1024);
  });

  test("by printing to its output by accident is heard, and the print is a log line", async () => {
    const { tell, recorded } = await workerSystem(DOES_AS_TOLD);
    expect((await tell("print-by-accident")).success).toBe(true);
    expect(recorded("hookEnded")[0]?.ending).toMatchObject({ stderr: "starting…\n{not json\n[1]\n{}\n" });
  });

  test("by closing its output is given up and started again", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD);
    const first = await pid();
    expect((await tell("close-its-output")).failure).toMatchObject({
      kind: "died",
      message: expect.stringContaining("closed its output"),
    });
    expect(await pid()).not.toBe(first);
    await eventually(() => expect(groupMembers(first)).toEqual([]));
  });

  test("blocks where its hook says onError: block", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD, { onError: "block" });
    expect((await tell("die")).output).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("exited with code 3"),
    });
  });

  test("takes its children with it", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD);
    const group = await pid();
    const child = Number((await tell("start-a-child")).said);
    expect(groupMembers(group)).toContain(child);
    await tell("be-killed");
    await eventually(() => expect(isAlive(child)).toBe(false));
  });
});

describe("the caller's abort", () => {
  test("ends the request at once and cancels it at the worker", async () => {
    const { tell, pid } = await workerSystem(DOES_AS_TOLD);
    const first = await pid();
    const controller = new AbortController();
    const told = tell("answer-when-cancelled", controller.signal);
    setTimeout(() => controller.abort(), 50);
    const { failure, output } = await told;
    expect(failure).toMatchObject({ kind: "aborted" });
    expect(output?.shouldStopExecution()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await pid()).toBe(first);
  });

  test("before the start means that nothing is started", async () => {
    const { tell } = await workerSystem(DOES_AS_TOLD);
    expect((await tell("answer", AbortSignal.abort())).failure).toMatchObject({ kind: "aborted" });
  });
});

describe("a worker whose file is edited while it runs", () => {
  test("serves the next event with the new file, and open requests with the old one", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "worker.mjs");
    copyFileSync(workerFixture("does-as-told.mjs"), file);
    const { tell, pid } = await workerSystem(workerCommand(file, process.execPath), {}, { trust: () => true });
    const first = await pid();
    const slow = tell("answer-slowly");
    await new Promise((resolve) => setTimeout(resolve, 100));
    writeFileSync(file, "// edited\n", { flag: "a" });
    const second = await pid();
    expect(second).not.toBe(first);
    expect((await slow).said).toBe(String(first));
    await eventually(() => expect(groupMembers(first)).toEqual([]));
  });

  test("does not run at all until a person has looked at it, where it must be trusted", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "worker.mjs");
    copyFileSync(workerFixture("does-as-told.mjs"), file);
    const { tell } = await workerSystem(workerCommand(file, process.execPath));
    expect((await tell("answer")).success).toBe(true);
    writeFileSync(file, "// edited\n", { flag: "a" });
    expect(await tell("answer")).toMatchObject({ failure: { kind: "untrusted" }, output: { decision: "block" } });
  });

  test("and then broken says so at the next event", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "worker.sh");
    copyFileSync(workerFixture("does-as-told.mjs"), file);
    const { tell, pid } = await workerSystem(workerCommand(file, process.execPath), {}, { trust: () => true });
    await pid();
    rmSync(file);
    expect((await tell("answer")).failure).toMatchObject({ kind: "died", message: expect.stringContaining(file) });
  });
});

describe("the end of a worker", () => {
  test("comes by itself when nobody has used it for workerIdle", async () => {
    const dir = temporaryFolder();
    const { handler } = await idleSystem(dir, "150ms");
    const fire = () => handler.fireBeforeToolEvent({ ...CALL, tool_input: { content: "answer" } });
    const first = Number((await fire()).finalOutput?.systemMessage);
    await eventually(() => expect(groupMembers(first)).toEqual([]));
    expect(Number((await fire()).finalOutput?.systemMessage)).not.toBe(first);
  });

  test("comes with the hook system's, also for one that ignores it, and no descriptor is left", async () => {
    const before = openDescriptors();
    const { system, pid } = await workerSystem(DOES_AS_TOLD);
    const group = await pid();
    await system.dispose();
    expect(groupMembers(group)).toEqual([]);
    await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(before));

    const stubborn = await workerSystem(workerCommand(workerFixture("never-reads-and-stays.sh")), {
      timeout: "1500ms",
    });
    expect((await stubborn.tell("answer")).failure).toMatchObject({ kind: "timedOut" });
    await stubborn.system.dispose();
    await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(before));
  });

  test("blocks what is still open when the hook system is disposed of", async () => {
    const { system, tell, recorded } = await workerSystem(DOES_AS_TOLD);
    await tell("answer");
    const open = tell("answer-nothing");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await system.dispose();
    expect((await open).failure).toMatchObject({ kind: "disposed", message: expect.stringContaining("hook system") });
    expect(recorded("hookEnded")).toHaveLength(2);
    expect((await tell("answer")).failure).toMatchObject({ kind: "disposed" });
  });

  test("is not missed when it has only just been started", async () => {
    const { system, tell } = await workerSystem(DOES_AS_TOLD);
    const before = openDescriptors();
    const early = tell("answer");
    await system.dispose();
    expect((await early).success).toBe(false);
    await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(before));
  });

  test.each([["falls off its end"], ["disposes"]])("is no reason for a program that %s to stay", async (how) => {
    const program = spawnSync(process.execPath, [workerFixture("embedder.mjs"), DOES_AS_TOLD, how], {
      encoding: "utf8",
      timeout: 15_000,
    });
    expect({ status: program.status, stderr: program.stderr }).toEqual({ status: 0, stderr: "" });
    await eventually(() => expect(groupMembers(Number(program.stdout))).toEqual([]));
  });
});

/** Options come from settings files only, so this system is made from a folder. */
async function idleSystem(dir: string, workerIdle: string) {
  mkdirSync(join(dir, ".hookline"));
  const settings = { hooksConfig: { workerIdle }, hooks: workerHook(DOES_AS_TOLD) };
  writeFileSync(join(dir, ".hookline/settings.json"), JSON.stringify(settings));
  const config = new SettingsConfig({ workingDir: dir, homeDir: dir, trust: "all" });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return { handler: system.getEventHandler() };
}
