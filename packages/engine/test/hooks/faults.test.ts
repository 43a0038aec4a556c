import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { eventually, fixtureCommand, groupMembers, openDescriptors } from "../support/fixtures.ts";
import { CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";

/** Fires BeforeTool at one fixture and returns what was recorded of it. */
async function fireAt(name: string, fields: Record<string, unknown> = {}) {
  const { handler, recorded } = await testSystem(
    commandHook("BeforeTool", fixtureCommand(name), { name: "hook", ...fields }),
  );
  const result = await handler.fireBeforeToolEvent(CALL);
  const [ended] = recorded("hookEnded");
  return { result, ended, merged: recorded("merged")[0] };
}

const HEALTHY = { success: true, errors: [] };

describe("answers", () => {
  test.each([
    ["allows.sh", { decision: "allow" }],
    ["denies.sh", { decision: "block", reason: "not today" }],
    ["json-encoded-twice.sh", { decision: "block" }],
    ["text-then-json.sh", { decision: "block" }],
    ["exits-2-with-reason.sh", { decision: "block" }],
    ["exits-2-silently.sh", { decision: "block", reason: 'Blocked by hook "hook"' }],
    ["never-reads-stdin-and-allows.sh", { decision: "allow" }],
    ["closes-stdin.sh", { decision: "allow" }],
  ])("%s is a healthy answer: %o", async (name, output) => {
    const { result } = await fireAt(name);
    expect(result).toMatchObject({ ...HEALTHY, finalOutput: output });
  });

  test("other text beside the objection is noted", async () => {
    const { ended } = await fireAt("text-then-json.sh");
    expect(ended?.notes).toEqual([expect.stringContaining("only objections count")]);
  });

  test("plain text, also binary rubbish or half a character, is a message to the model", async () => {
    for (const name of ["prints-binary.sh", "prints-half-a-character.sh"]) {
      const { result } = await fireAt(name);
      expect(result).toMatchObject({
        ...HEALTHY,
        finalOutput: { decision: "allow", systemMessage: expect.any(String) },
      });
    }
  });

  test("nulls are absent, and fields of the wrong type are dropped and reported", async () => {
    expect((await fireAt("json-with-nulls.sh")).result).toMatchObject(HEALTHY);
    const { ended } = await fireAt("json-of-the-wrong-shape.sh");
    expect(ended?.failure?.message).toContain("decision 42, which is not one of allow");
    expect(ended?.notes).toEqual(["reason is not text"]);
  });
});

describe("failures are recorded as what they are, and let the agent go on", () => {
  test.each([
    ["exits-1.sh", { kind: "exitCode", exitCode: 1 }],
    ["exits-3.sh", { kind: "exitCode", exitCode: 3 }],
    ["exits-126.sh", { kind: "exitCode", exitCode: 126 }],
    ["exits-127.sh", { kind: "exitCode", exitCode: 127 }],
    ["dies-before-answering.sh", { kind: "killed" }],
    ["json-number.sh", { kind: "badAnswer" }],
    ["interpreter-missing.sh", { kind: "notStarted" }],
    ["not-executable.sh", { kind: "notStarted" }],
  ])("%s", async (name, failure) => {
    const { result, ended } = await fireAt(name);
    expect(ended?.failure).toMatchObject(failure);
    expect(result.success).toBe(false);
    expect(result.errors).toMatchObject([{ code: "HOOK_FAILED", hook: "hook" }]);
    expect(result.finalOutput?.isBlockingDecision() ?? false).toBe(false);
  });

  test.each([
    ["denies-and-exits-1.sh", "exitCode"],
    ["dies-after-answering.sh", "killed"],
    ["json-that-does-not-parse.sh", "badAnswer"],
    ["json-over-the-limit.sh", "badAnswer"],
    ["json-array.sh", "badAnswer"],
  ])("%s failed, and its objection stands all the same", async (name, kind) => {
    const { result, ended } = await fireAt(name);
    expect(ended?.failure?.kind).toBe(kind);
    expect(result).toMatchObject({ success: false, finalOutput: { decision: "block" } });
  });

  test("a hook that denied and then hung is timed out, and its objection stands", async () => {
    const { result, ended } = await fireAt("denies-and-hangs.sh", { timeout: "700ms" });
    expect(ended?.failure?.kind).toBe("timedOut");
    expect(result).toMatchObject({ success: false, finalOutput: { decision: "block" } });
  });

  test.each(["exits-1.sh", "dies-before-answering.sh", "not-executable.sh", "json-number.sh"])(
    "%s blocks where its hook says onError: block",
    async (name) => {
      const { result } = await fireAt(name, { onError: "block" });
      expect(result.finalOutput).toMatchObject({
        decision: "block",
        reason: expect.stringMatching(/^Hook "hook" .*set to block on failure\.?$/s),
      });
    },
  );

  test("a cwd that was removed is a failure to start", async () => {
    const { handler, recorded, dir } = await testSystem(commandHook("BeforeTool", fixtureCommand("allows.sh")));
    rmSync(dir, { recursive: true });
    await handler.fireBeforeToolEvent(CALL);
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("notStarted");
  });
});

describe("variables that were withheld", () => {
  beforeEach(() => {
    process.env.DEPLOY_TOKEN = "s3cret";
  });
  afterEach(() => {
    delete process.env.DEPLOY_TOKEN;
  });

  test.each([
    ["echo 'DEPLOY_TOKEN is not set' >&2; exit 1", /^withheld from its environment: DEPLOY_TOKEN; /],
    ["echo '401 Unauthorized' >&2; exit 1", /^withheld from its environment: .*DEPLOY_TOKEN.*; /],
    ["echo 'no DEPLOY_TOKEN, so no' >&2; exit 2", /^withheld from its environment: DEPLOY_TOKEN; /],
  ])("are named in a note where `%s` suggests it, once, and in no reason", async (command, note) => {
    const { handler, recorded } = await testSystem(commandHook("BeforeTool", command, { onError: "block" }));
    const first = await handler.fireBeforeToolEvent(CALL);
    await handler.fireBeforeToolEvent(CALL);
    const [told, later] = recorded("hookEnded").map(({ notes }) => notes);
    expect(told).toEqual([expect.stringMatching(note)]);
    expect(later).toEqual([]);
    const said = JSON.stringify([first.finalOutput, first.errors, first.allOutputs]);
    expect(said).not.toMatch(/withheld|s3cret/i);
  });

  test.each([["exit 1"], ["echo 'no such file' >&2; exit 127"], ["echo broke >&2; exit 3"], ["true"], ["echo '{}'"]])(
    "are not mentioned where `%s` says nothing of the kind",
    async (command) => {
      const { handler, recorded } = await testSystem(commandHook("BeforeTool", command));
      await handler.fireBeforeToolEvent(CALL);
      expect(recorded("hookEnded")[0]?.notes).toEqual([]);
    },
  );
});

test("of a hook that could not be started, nothing is said about variables", async () => {
  process.env.DEPLOY_TOKEN = "s3cret";
  try {
    const { handler, recorded } = await testSystem(commandHook("BeforeTool", "./none.sh", { onError: "block" }));
    await handler.fireBeforeToolEvent(CALL);
    expect(recorded("hookEnded")[0]?.failure?.message).toMatch(/^could not be started: .*none\.sh[^.]*\.$/);
  } finally {
    delete process.env.DEPLOY_TOKEN;
  }
});

describe("processes that will not end", () => {
  test.each([
    ["ignores-sigterm.sh", "timedOut"],
    ["sleeps.sh", "timedOut"],
    ["never-reads-stdin.sh", "timedOut"],
    ["grandchild-holds-stdout-past-timeout.sh", "timedOut"],
  ])("%s is cut off, recorded as %s, and leaves no process of its group", async (name, kind) => {
    const before = openDescriptors();
    const { handler, recorded, system } = await testSystem(
      commandHook("BeforeTool", `echo $$ >&2; exec ${fixtureCommand(name)}`, { timeout: "400ms" }),
    );
    const content = name.startsWith("never-reads") ? "x".repeat(10 * 1024 * 1024) : "x";
    await handler.fireBeforeToolEvent({ ...CALL, tool_input: { content } });
    const [ended] = recorded("hookEnded");
    expect(ended?.failure?.kind).toBe(kind);
    const group = Number.parseInt(ended && "stderr" in ended.ending ? ended.ending.stderr : "", 10);
    expect(group).toBeGreaterThan(1);
    await system.dispose();
    await eventually(() => expect(groupMembers(group)).toEqual([]));
    await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(before));
  });

  test("a gigabyte of output neither hangs nor grows the process, and is a failure", async () => {
    const { ended } = await fireAt("prints-1gb.sh", { timeout: "60s" });
    expect(ended?.failure?.kind).toBe("badAnswer");
    expect(ended?.ending).toMatchObject({ kind: "exited", stdoutTruncated: true });
    expect(process.memoryUsage().rss).toBeLessThan(700 * 1024 * 1024);
  }, 90_000);

  test("what a hook left in the background after a clean exit is let be, and recorded", async () => {
    const { ended, result } = await fireAt("grandchild-holds-stdout.sh");
    expect(result.success).toBe(true);
    expect(ended?.ending).toMatchObject({ kind: "exited", code: 0, leftBehind: true });
  });

  test("the caller's abort ends the hook and ignores onError, and the action does not go on", async () => {
    const { handler, recorded } = await testSystem(
      commandHook("BeforeTool", fixtureCommand("sleeps.sh"), { onError: "block" }),
    );
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const result = await handler.fireBeforeToolEvent(CALL, { signal: abort.signal });
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("aborted");
    expect(result).toMatchObject({ success: false, errors: [{ code: "ABORTED" }] });
    expect(result.finalOutput?.shouldStopExecution()).toBe(true);
    expect(result.finalOutput?.isBlockingDecision()).toBe(false);
  });
});

describe("configuration that cannot run", () => {
  test("a guard whose script is missing stays listed, says so, and blocks if it is set to block on errors", async () => {
    const hooks = {
      BeforeTool: [{ hooks: [{ type: "command", command: "./gone.sh", name: "gone", onError: "block" }] }],
    };
    const { handler, system } = await testSystem(hooks);
    expect(system.getStatus().problems).toMatchObject([{ severity: "error", code: "COMMAND_NOT_FOUND" }]);
    const result = await handler.fireBeforeToolEvent(CALL);
    expect(result.finalOutput).toMatchObject({ decision: "block", reason: expect.stringContaining("./gone.sh") });
  });

  test("without onError: block it is skipped, and the skip is recorded", async () => {
    const { handler, recorded } = await testSystem(commandHook("BeforeTool", "./gone.sh", { name: "gone" }));
    const result = await handler.fireBeforeToolEvent(CALL);
    expect(result.finalOutput).toBeUndefined();
    expect(recorded("hookSkipped")).toMatchObject([{ reason: expect.stringContaining("./gone.sh") }]);
  });

  test("a settings file that breaks while the session runs keeps the hooks it had", async () => {
    const dir = temporaryFolder();
    const file = join(dir, ".hookline", "settings.json");
    mkdirSync(join(dir, ".hookline"));
    writeFileSync(join(dir, "deny.sh"), "#!/bin/sh\necho no >&2; exit 2\n");
    chmodSync(join(dir, "deny.sh"), 0o755);
    writeFileSync(file, JSON.stringify({ hooks: commandHook("BeforeTool", "./deny.sh") }));
    const home = temporaryFolder();
    const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), trust: "all" });
    const system = config.getHookSystem();
    await system?.initialize();
    writeFileSync(file, '{ "hooks": { "BeforeTool": [');
    await system?.reload();
    const result = await system?.getEventHandler().fireBeforeToolEvent(CALL);
    expect(result?.finalOutput).toMatchObject({ decision: "block", reason: "no" });
    expect(system?.getStatus().problems).toMatchObject([{ code: "CONFIG_SYNTAX" }]);
    await system?.dispose();
  });
});

describe("a deadline of the event", () => {
  test("ends hooks that still run, and what the others answered in time counts", async () => {
    const hook = (name: string, command: string, onError = "allow") => ({ type: "command", name, command, onError });
    const slow = hook("slow", "sleep 20");
    const { handler, recorded } = await testSystem({
      BeforeTool: [{ hooks: [hook("no", "echo no >&2; exit 2"), slow] }],
    });
    const until = performance.now() + 1_500;
    const { finalOutput } = await handler.fireBeforeToolEvent(CALL, { until: () => until, notes: () => ["a note"] });
    expect(finalOutput).toMatchObject({ decision: "block", reason: "no" });
    const endings = Object.fromEntries(recorded("hookEnded").map((one) => [one.hook.config.name, one.ending.kind]));
    expect(endings).toEqual({ no: "exited", slow: "timedOut" });
    expect(recorded("merged")[0]?.notes).toContain("a note");
  });

  test("is a failure of the hook, so onError decides", async () => {
    const { handler } = await testSystem(commandHook("BeforeTool", "sleep 20", { onError: "block" }));
    const until = performance.now() + 300;
    const { finalOutput } = await handler.fireBeforeToolEvent(CALL, { until: () => until });
    expect(finalOutput).toMatchObject({ decision: "block" });
  });
});
