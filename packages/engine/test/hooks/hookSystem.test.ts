import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { HooklineError } from "../../src/errors.ts";
import { type Config, SettingsConfig } from "../../src/hooks/config.ts";
import { HookSystem, HookSystemNotInitializedError } from "../../src/hooks/hookSystem.ts";
import { HookRegistry, HookRegistryNotInitializedError } from "../../src/hooks/plan/hookRegistry.ts";
import type { HookRecord } from "../../src/hooks/record/recorder.ts";
import { eventually, fixtureCommand } from "../support/fixtures.ts";
import { action, CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";

describe("a hook system", () => {
  test("is not usable before it is initialized, and says what to do", () => {
    const config = new SettingsConfig({ workingDir: temporaryFolder(), homeDir: temporaryFolder() });
    const system = new HookSystem(config);
    expect(() => system.getEventHandler()).toThrow(HookSystemNotInitializedError);
    expect(() => system.getRegistry()).toThrow(HookSystemNotInitializedError);
    expect(() => system.getSettings()).toThrow(HookSystemNotInitializedError);
    expect(() => new HookRegistry().getHooksForEvent("BeforeTool")).toThrow(HookRegistryNotInitializedError);
    expect(system.getStatus()).toMatchObject({ initialized: false, totalHooks: 0 });
  });

  test("is initialized once, however often it is asked", async () => {
    let loads = 0;
    const dir = temporaryFolder();
    const config: Config = {
      getSessionId: () => "s",
      getWorkingDir: () => dir,
      getTranscriptPath: () => "",
      getHooks: () => {
        loads += 1;
        return commandHook("BeforeTool", fixtureCommand("allows.sh"));
      },
      getEnableHooks: () => true,
      getExtensions: () => [],
      getHookSystem: () => undefined,
    };
    const system = new HookSystem(config, { trust: "all" });
    await Promise.all([system.initialize(), system.initialize()]);
    await system.initialize();
    expect(system.getEventHandler()).toBe(system.getEventHandler());
    for (let index = 0; index < 3; index += 1) await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(loads).toBe(1);
    expect(system.getStatus()).toMatchObject({ initialized: true, totalHooks: 1, enabledHooks: 1 });
    await system.dispose();
  });

  test("says so where it cannot run, instead of running without its guarantees", async () => {
    const real = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
    Object.defineProperty(process, "platform", { ...real, value: "win32" });
    onTestFinished(() => void Object.defineProperty(process, "platform", real));
    const config = new SettingsConfig({ workingDir: temporaryFolder(), homeDir: temporaryFolder() });
    await expect(new HookSystem(config).initialize()).rejects.toMatchObject({ code: "PLATFORM_UNSUPPORTED" });
  });

  test("does not exist when hooks are off", () => {
    const config = new SettingsConfig({ workingDir: temporaryFolder(), enableHooks: false });
    expect(config.getHookSystem()).toBeUndefined();
  });

  test("refuses a hook that cannot be: an unknown event, no function, an unreadable timeout", async () => {
    const { system } = await testSystem();
    const codeOf = (register: () => unknown) => {
      try {
        register();
        return undefined;
      } catch (error) {
        return error instanceof HooklineError ? `${error.code} ${error.what}` : error;
      }
    };
    expect(
      codeOf(() =>
        system.registerHook(
          action("x", () => ({})),
          // @ts-expect-error: there is no such event
          "BeforeTol",
        ),
      ),
    ).toBe('EVENT_UNKNOWN There is no event "BeforeTol". Did you mean "BeforeTool"?');
    const broken = JSON.parse('{"type":"runtime","name":"x","action":"nope"}');
    expect(codeOf(() => system.registerHook(broken, "BeforeTool"))).toMatch(/^CONFIG_INVALID/);
    expect(
      codeOf(() =>
        system.registerHook(
          action("x", () => ({}), { timeout: "soon" }),
          "BeforeTool",
        ),
      ),
    ).toMatch(/^CONFIG_INVALID/);
  });

  test("keeps runtime hooks across a reload", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("no", () => ({ decision: "deny", reason: "no" })),
      "BeforeTool",
    );
    await system.reload();
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
  });

  test("has the settings that it was started with, and after a reload those that it read then", async () => {
    const { system } = await testSystem(commandHook("AfterTool", "true"));
    const first = system.getSettings();
    expect(first.hooks.map(({ eventName }) => eventName)).toEqual(["AfterTool"]);
    expect(system.getSettings()).toBe(first);
    await system.reload();
    expect(system.getSettings()).not.toBe(first);
    expect(system.getSettings()).toEqual(first);
  });

  test("counts events that no hook matched, and only counts them", async () => {
    const { system, handler, records } = await testSystem(commandHook("AfterTool", "true"));
    await handler.fireBeforeToolEvent(CALL);
    await handler.fireBeforeToolEvent(CALL);
    await handler.fireSessionEndEvent({ reason: "exit" });
    expect(system.getStatus().unmatched).toEqual({ BeforeTool: 2, SessionEnd: 1 });
    expect(records).toEqual([]);
  });

  test("ends what still runs when it is disposed of", async () => {
    const { system, handler, recorded } = await testSystem(commandHook("BeforeTool", "sleep 30", { blocking: false }));
    await handler.fireBeforeToolEvent(CALL);
    await system.dispose();
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("aborted");
  });

  test("reloads by itself when a watched settings file changes", async () => {
    const [dir, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(home, ".hookline"));
    const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), watch: true });
    const system = config.getHookSystem();
    if (!system) throw new Error("hooks are on");
    onTestFinished(() => system.dispose());
    await system.initialize();
    expect(system.getStatus().totalHooks).toBe(0);
    writeFileSync(
      join(home, ".hookline", "settings.json"),
      JSON.stringify({ hooks: commandHook("BeforeTool", "exit 2") }),
    );
    await eventually(() => expect(system.getStatus().totalHooks).toBe(1));
    expect((await system.getEventHandler().fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
  });

  test("hooks of extensions run last, with what a program brings", async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "hooks"));
    writeFileSync(
      join(dir, "hooks", "hooks.json"),
      JSON.stringify({ hooks: commandHook("BeforeTool", "exit 2", { name: "ext" }) }),
    );
    const config: Config = {
      getSessionId: () => "s",
      getWorkingDir: () => dir,
      getTranscriptPath: () => "",
      getHooks: () => commandHook("BeforeTool", "true", { name: "own" }),
      getEnableHooks: () => true,
      getExtensions: () => [{ name: "e", path: dir, isActive: true }],
      getHookSystem: () => undefined,
    };
    const system = new HookSystem(config, { trust: "all" });
    await system.initialize();
    expect(
      system
        .getRegistry()
        .getAllHooks()
        .map(({ config: { name }, source }) => `${name} ${source}`),
    ).toEqual(["own project", "ext extensions"]);
    await system.dispose();
  });
});

describe("what a command hook receives", () => {
  test("is the input on stdin, under the name that its matcher hit, and the session in its environment", async () => {
    process.env.MY_API_KEY = "secret";
    const { handler, dir } = await testSystem({
      BeforeTool: [
        {
          matcher: "WriteFileTool",
          hooks: [{ type: "command", command: `node ${fixtureCommand("echoes-input.mjs")}` }],
        },
        {
          hooks: [{ type: "command", command: `node ${fixtureCommand("prints-environment.mjs")}`, env: { OWN: "1" } }],
        },
      ],
    });
    const result = await handler.fireBeforeToolEvent(CALL);
    delete process.env.MY_API_KEY;
    const [echo, environment] = result.results.map(({ ending }) =>
      JSON.parse("stdout" in ending ? ending.stdout : "null"),
    );
    expect(JSON.stringify(echo)).toContain('"tool_name":"WriteFileTool"');
    expect(echo).toMatchObject({
      hookSpecificOutput: { saw: { session_id: "session-1", cwd: dir, tool_input: CALL.tool_input } },
    });
    const text = JSON.stringify(environment);
    for (const name of ["HOOKLINE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_CWD"]) {
      expect(text).toContain(`"${name}":"${dir}"`);
    }
    expect(text).toContain('"HOOKLINE_EVENT":"BeforeTool"');
    expect(text).toContain('"GEMINI_SESSION_ID":"session-1"');
    expect(text).toContain('"OWN":"1"');
    expect(text).not.toContain("MY_API_KEY");
  });

  test("names in passEnv get through, and paths with spaces survive quoting", async () => {
    process.env.MY_API_KEY = "a b";
    const { handler, dir } = await testSystem(
      commandHook("BeforeTool", 'echo "[$HOOKLINE_PROJECT_DIR] [$MY_API_KEY]"', { passEnv: ["MY_API_KEY"] }),
    );
    const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
    delete process.env.MY_API_KEY;
    expect(finalOutput?.systemMessage).toBe(`[${dir}] [a b]`);
  });

  test("are the variables of the start: what happens in this process later cannot redirect a guard", async () => {
    const { handler } = await testSystem(commandHook("BeforeTool", 'echo "late: $LATE."'));
    process.env.LATE = "changed";
    const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
    delete process.env.LATE;
    expect(finalOutput?.systemMessage).toBe("late: .");
  });

  test("is serialised once per distinct view", async () => {
    const { handler } = await testSystem({
      BeforeTool: Array.from({ length: 6 }, (_, index) => ({
        ...(index === 5 ? { matcher: "WriteFileTool" } : {}),
        hooks: [{ type: "command", command: `cat >/dev/null; echo ${index}` }],
      })),
    });
    const stringify = vi.spyOn(JSON, "stringify");
    onTestFinished(() => stringify.mockRestore());
    await handler.fireBeforeToolEvent(CALL);
    const serialised = stringify.mock.calls.filter(([value]) => value?.hook_event_name === "BeforeTool");
    expect(serialised.map(([{ tool_name }]) => tool_name)).toEqual(["write_file", "WriteFileTool"]);
  });
});

test("the debug line is written for every event when NODE_DEBUG asks for it", async () => {
  const script = `
    import { HookSystem } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    const config = { getSessionId: () => "s", getWorkingDir: () => "/tmp", getTranscriptPath: () => "", getHooks: () => ({}),
      getEnableHooks: () => true, getExtensions: () => [], getHookSystem: () => undefined };
    const system = new HookSystem(config, { trust: "all" });
    await system.initialize();
    system.registerHook({ type: "runtime", name: "a", action: (input) => input.second_pass ? {} : ({ hookSpecificOutput: { tool_input: { a: 1 } } }) }, "BeforeTool", { matcher: "write" });
    await system.getEventHandler().fireBeforeToolEvent({ tool_name: "write_file" });
    await system.getEventHandler().fireBeforeToolEvent({ tool_name: "read_file" });
    await system.getEventHandler().fireSessionEndEvent({ reason: "exit" });`;
  const run = (env: NodeJS.ProcessEnv) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  const { stderr } = await run({ ...process.env, NODE_DEBUG: "hookline" });
  expect(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.replace(/^HOOKLINE \d+: /, "").replace(/\d+ms/, "0ms")),
  ).toEqual([
    "BeforeTool fired for 'write_file': 1 hook, 0ms, success (modified tool_input)",
    "BeforeTool fired for 'read_file': 0 hooks matched, skipped",
    "SessionEnd fired: 0 hooks matched, skipped",
  ]);
  expect((await run({ ...process.env, NODE_DEBUG: "" })).stderr).toBe("");
});

test("every step of a matched event is recorded, in order", async () => {
  const { handler, records } = await testSystem({
    BeforeTool: [
      { hooks: [{ type: "command", command: fixtureCommand("denies.sh"), name: "no" }] },
      { hooks: [{ type: "command", command: "./gone.sh", name: "gone" }] },
    ],
  });
  await handler.fireBeforeToolEvent(CALL);
  expect(records.map(({ kind }) => kind)).toEqual([
    "eventMatched",
    "hookSkipped",
    "hookStarted",
    "hookEnded",
    "merged",
  ]);
  expect(new Set(records.map((record) => "eventId" in record && record.eventId)).size).toBe(1);
  expect(records.at(-1)).toMatchObject({ decision: "block", reason: "not today", success: true });
});

test("an objection waits until it is on the record, and nothing else does", async () => {
  const steps: string[] = [];
  const recorder = {
    record({ kind }: HookRecord) {
      steps.push(kind);
    },
    async commit() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push("committed");
    },
  };
  const { handler } = await testSystem(commandHook("BeforeTool", fixtureCommand("denies.sh")), { recorder });
  await handler.fireBeforeToolEvent(CALL);
  steps.push("answered");
  expect(steps).toEqual(["eventMatched", "hookStarted", "hookEnded", "merged", "committed", "answered"]);
  const quiet = await testSystem(commandHook("BeforeTool", fixtureCommand("allows.sh")), { recorder });
  steps.length = 0;
  await quiet.handler.fireBeforeToolEvent(CALL);
  expect(steps).not.toContain("committed");
});

test("a recorder that cannot commit takes nothing from the objection", async () => {
  const recorder = { record() {}, commit: () => Promise.reject(new Error("disk full")) };
  const { handler } = await testSystem(commandHook("BeforeTool", fixtureCommand("denies.sh")), { recorder });
  expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
});

test("a recorder that throws hurts nobody", async () => {
  const recorder = {
    record() {
      throw new Error("disk full");
    },
  };
  const { handler } = await testSystem(commandHook("BeforeTool", fixtureCommand("denies.sh")), { recorder });
  expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
});

test("allOutputs holds each answer as it was given, also beside an exit code", async () => {
  const says = (answer: object, then = "exit 0") => `echo '${JSON.stringify(answer)}'; ${then}`;
  const answers = [
    { decision: "deny", reason: "no", ticket: 7 },
    { decision: "approve", hookSpecificOutput: { mood: "calm" } },
    { decision: "deny", reason: "exit 2", ticket: 8 },
    { decision: "reject", ticket: 9 },
  ];
  const [denies, approves, exits, fails] = answers.map((answer, at) => says(answer, ["", "", "exit 2", "exit 1"][at]));
  const overruled = says({ decision: "allow" }, "echo no >&2; exit 2");
  const hooks = [denies, approves, exits, fails, overruled].map((command) => ({ type: "command", command }));
  const { handler } = await testSystem({ BeforeTool: [{ hooks }] });
  const { allOutputs } = await handler.fireBeforeToolEvent(CALL);
  expect(allOutputs).toEqual([...answers, { decision: "block", reason: "no" }]);
});

test("the reasons of two stops both arrive, one as stopReason and one as reason", async () => {
  const { system, handler } = await testSystem();
  system.registerHook(
    action("budget", () => ({ continue: false, stopReason: "Over budget" })),
    "BeforeTool",
  );
  system.registerHook(
    action("hours", () => ({ continue: false, reason: "Out of hours" })),
    "BeforeTool",
  );
  const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
  expect(finalOutput?.getEffectiveReason()).toBe("Over budget\nOut of hours");
});
