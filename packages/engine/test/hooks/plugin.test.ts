import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep, setImmediate as turnOfEventLoop } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { CALL, temporaryFolder, testSystem } from "../support/system.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url));
const pluginHook = (module: string, fields: Record<string, unknown> = {}) => ({
  BeforeTool: [{ hooks: [{ type: "plugin", name: "hook", module, timeout: "10s", ...fields }] }],
});

async function fireAt(name: string, fields: Record<string, unknown> = {}) {
  const started = await testSystem(pluginHook(fixture(name), fields));
  const result = await started.handler.fireBeforeToolEvent(CALL);
  return { ...started, result, ended: started.recorded("hookEnded")[0] };
}

/** A user's plugin, which needs no trust. */
const AGREES: Person = { says: true };

interface Person {
  says: boolean;
}

/** A plugin of the user's; the person is asked whenever it changes. */
async function userPlugin(
  text: string,
  fields: Record<string, unknown> = {},
  { name = "guard.mjs", watch = false, person = AGREES } = {},
) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  const file = join(home, ".hookline", name);
  mkdirSync(join(home, ".hookline"));
  writeFileSync(file, text);
  const hooks = pluginHook(`./${name}`, fields);
  writeFileSync(join(home, ".hookline/settings.json"), JSON.stringify({ hooks }));
  const config = new SettingsConfig({
    workingDir: dir,
    homeDir: home,
    systemFile: join(home, "none"),
    watch,
    trust: () => person.says,
  });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  expect(system.getStatus().problems).toEqual([]);
  return { file, system, handler: system.getEventHandler() };
}

const denying = (reason: string) => `export default () => ({ decision: "deny", reason: "${reason}" });\n`;

describe("what a plugin exports", () => {
  test.each([
    ["denies.mjs", "no write_file today"],
    ["denies.cjs", "from CommonJS"],
    ["compiled-to-commonjs.cjs", "compiled"],
    ["by-event.mjs", "as configured"],
    ["loads-slowly.mjs", "at last"],
  ])("%s is called, and its answer counts", async (name, reason) => {
    const { result } = await fireAt(name);
    expect(result).toMatchObject({ success: true, errors: [], finalOutput: { decision: "block", reason } });
  });

  test("a hook on an event that its object has no function for is a failure that says so", async () => {
    const hooks = { AfterTool: [{ hooks: [{ type: "plugin", module: fixture("by-event.mjs") }] }] };
    const { handler } = await testSystem(hooks);
    const result = await handler.fireAfterToolEvent({ ...CALL, tool_response: { llmContent: "", returnDisplay: "" } });
    expect(result.success).toBe(false);
    expect(result.errors[0]?.message).toContain("its default export has no function for AfterTool; it has BeforeTool");
  });

  test.each([
    ["misspells-an-event.mjs", '"afterTool" in its default export is not an event. Did you mean "AfterTool"?'],
    ["exports-nothing.mjs", "it has no default export; it exports guard"],
    ["exports-no-event.mjs", "its default export is an object with run, mode"],
    ["exports-text.mjs", "its default export is a string"],
  ])("%s has failed, and the failure says what is exported", async (name, message) => {
    const { ended, result } = await fireAt(name, { onError: "block" });
    expect(ended?.failure).toEqual({ kind: "notStarted", message: expect.stringContaining(message) });
    expect(ended?.failure?.message).toContain(fixture(name));
    expect(result.finalOutput).toMatchObject({ decision: "block", reason: expect.stringContaining(message) });
  });

  test("its input is a copy: what it changes there reaches nobody", async () => {
    const { handler } = await testSystem(pluginHook(fixture("changes-its-input.mjs")));
    const input = { ...CALL, tool_input: { content: "hello" } };
    const result = await handler.fireBeforeToolEvent(input);
    expect(result.success).toBe(true);
    expect(input).toEqual({ ...CALL, tool_input: { content: "hello" } });
  });

  test("one system loads a module once, another one loads it for itself", async () => {
    const { handler } = await testSystem(pluginHook(fixture("counts-its-loads.mjs")));
    await Promise.all([1, 2, 3].map(() => handler.fireBeforeToolEvent(CALL)));
    await handler.fireBeforeToolEvent(CALL);
    expect(Reflect.get(globalThis, "pluginLoads")).toBe(1);
    await fireAt("counts-its-loads.mjs");
    expect(Reflect.get(globalThis, "pluginLoads")).toBe(2);
  });
});

describe("a plugin that fails lets the agent go on, unless it says onError: block", () => {
  test.each([
    ["syntax-error.mjs", "notStarted", /SyntaxError: .*`node --check .*syntax-error\.mjs` shows where/],
    ["syntax-error.cjs", "notStarted", /syntax-error\.cjs:2: SyntaxError: Unexpected end of input/],
    ["throws-at-load.mjs", "notStarted", /throws-at-load\.mjs:2: no settings here/],
    ["imports-what-is-missing.mjs", "notStarted", /Cannot find module .*gone\.mjs/],
    ["throws.mjs", "threw", /threw: boom/],
    ["never-loads.mjs", "timedOut", /timed out after 300 ms/],
    ["never-settles.mjs", "timedOut", /timed out after 300 ms/],
  ])("%s", async (name, kind, message) => {
    const timeout = kind === "timedOut" ? "300ms" : "15s";
    const open = await fireAt(name, { timeout });
    expect(open.ended?.failure).toEqual({ kind, message: expect.stringMatching(message) });
    expect(open.result).toMatchObject({ success: false, errors: [{ code: "HOOK_FAILED", hook: "hook" }] });
    expect(open.result.finalOutput).toBeUndefined();
    const closed = await fireAt(name, { timeout, onError: "block" });
    expect(closed.result.finalOutput).toMatchObject({
      decision: "block",
      reason: expect.stringMatching(/set to block on failure$/),
    });
  });

  test("one that holds the thread beyond its timeout has overrun, and its objection stands", async () => {
    const { ended, result } = await fireAt("blocks-the-thread.mjs", { timeout: "1s" });
    expect(ended?.failure?.kind).toBe("overran");
    expect(result).toMatchObject({ success: false, finalOutput: { decision: "block", reason: "late" } });
  });

  test("one that never loads is timed out at every event, each within its own time", async () => {
    const { handler, recorded } = await fireAt("never-loads.mjs", { timeout: "100ms" });
    await handler.fireBeforeToolEvent(CALL);
    expect(recorded("hookEnded").map(({ failure }) => failure?.kind)).toEqual(["timedOut", "timedOut"]);
  });

  test("one that is still being loaded at the caller's abort ends at once, as aborted", async () => {
    const { handler, recorded } = await testSystem(pluginHook(fixture("never-loads.mjs"), { onError: "block" }));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const result = await handler.fireBeforeToolEvent(CALL, { signal: abort.signal });
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("aborted");
    expect(result).toMatchObject({ errors: [{ code: "ABORTED" }], finalOutput: { continue: false } });
  });

  test("one that took its time is loaded by the time of the next event", async () => {
    const { handler, result } = await fireAt("loads-slowly.mjs", { timeout: "100ms" });
    expect(result.success).toBe(false);
    const again = async () =>
      expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject({ decision: "block" });
    await vi.waitFor(again, { timeout: 10_000 });
  });
});

describe("what runs is the file as it was loaded", () => {
  test.each(["guard.mjs", "guard.cjs"])("until a person confirms an edited %s: then that is loaded", async (name) => {
    const text = (reason: string) =>
      name.endsWith(".cjs") ? denying(reason).replace("export default", "module.exports =") : denying(reason);
    const person = { says: false };
    const { file, handler } = await userPlugin(text("one"), {}, { name, person });
    const reason = async () => (await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason;
    expect(await reason()).toBe("one");
    writeFileSync(file, text("two"));
    expect(await reason()).toContain("was changed during this session");
    person.says = true;
    expect(await reason()).toBe("two");
  });

  test("one whose file is swapped while it is loaded may only object", async () => {
    const swaps = "appendFileSync(new URL(import.meta.url), '\\n')";
    const text = (answer: string) =>
      `import { appendFileSync } from "node:fs"; ${swaps}; export default () => (${answer});\n`;
    const person = { says: false };
    const allowing = await userPlugin(text('{ decision: "allow" }'), {}, { person });
    const { finalOutput } = await allowing.handler.fireBeforeToolEvent(CALL);
    expect(finalOutput).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("was changed while it ran"),
    });
    const denying = await userPlugin(text('{ decision: "deny", reason: "mine" }'), {}, { person });
    expect((await denying.handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toContain("mine");
  });

  test("an edit is seen at the first event of the next turn of the event loop", async () => {
    const { file, handler } = await userPlugin(denying("as loaded"), {}, { person: { says: false } });
    const reasonNow = async () => (await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason;
    await reasonNow(); // loads it
    await turnOfEventLoop();
    expect(await reasonNow()).toBe("as loaded");
    writeFileSync(file, "export default () => ({});\n");
    expect(await reasonNow()).toBe("as loaded");
    await turnOfEventLoop();
    expect(await reasonNow()).toContain("was changed during this session");
  });

  test("and an edit is seen by itself where the settings are watched", async () => {
    const { file, handler } = await userPlugin(denying("one"), {}, { watch: true });
    const reason = async () => (await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason;
    expect(await reason()).toBe("one");
    writeFileSync(file, denying("two"));
    await vi.waitFor(async () => expect(await reason()).toBe("two"), { timeout: 10_000 });
  });

  test("a broken edit is a failure, not the code from before, and its repair is seen", async () => {
    const { file, system, handler } = await userPlugin(denying("one"), { onError: "block" });
    await handler.fireBeforeToolEvent(CALL);
    writeFileSync(file, "export default (");
    await system.reload();
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toContain("SyntaxError");
    writeFileSync(file, denying("three"));
    await system.reload();
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toBe("three");
  });

  test("a plugin that was removed is a broken hook from the next reading on, and blocks where it says so", async () => {
    const { file, system, handler } = await userPlugin(denying("one"), { onError: "block" });
    await handler.fireBeforeToolEvent(CALL);
    rmSync(file);
    await system.reload();
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toContain(file);
  });

  test("a load that failed for another file's sake is tried again a second later", async () => {
    const { file, handler } = await userPlugin('import "./part.mjs";\nexport { default } from "./part.mjs";\n');
    expect((await handler.fireBeforeToolEvent(CALL)).success).toBe(false);
    writeFileSync(join(file, "../part.mjs"), denying("whole"));
    await sleep(1_100);
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toBe("whole");
  });

  test("a project's plugin that was edited is withheld until it is trusted again, and then is the new code", async () => {
    const [dir, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(dir, ".hookline"));
    const file = join(dir, ".hookline/guard.mjs");
    writeFileSync(file, denying("one"));
    writeFileSync(join(dir, ".hookline/settings.json"), JSON.stringify({ hooks: pluginHook(".hookline/guard.mjs") }));
    let says = true;
    const config = new SettingsConfig({
      workingDir: dir,
      homeDir: home,
      systemFile: join(home, "none"),
      trust: () => says,
    });
    const system = config.getHookSystem();
    onTestFinished(() => system?.dispose());
    await system?.initialize();
    const fire = async () => (await system?.getEventHandler().fireBeforeToolEvent(CALL))?.finalOutput?.reason;
    expect(await fire()).toBe("one");
    says = false;
    writeFileSync(file, denying("two"));
    expect(await fire()).toContain("was changed after it was trusted");
    says = true;
    expect(await fire()).toBe("two");
  });
});

describe("how a plugin is found", () => {
  test("a project's is looked up in the project root, then beside the file that declares it", async () => {
    const [dir, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(dir, ".hookline"));
    cpSync(fixture("denies.mjs"), join(dir, ".hookline/beside.mjs"));
    const module = (name: string) => ({ type: "plugin", module: name, name });
    const hooks = { BeforeTool: [{ hooks: [module("./beside.mjs"), module("gone.mjs"), module(".hookline")] }] };
    writeFileSync(join(dir, ".hookline/settings.json"), JSON.stringify({ hooks }));
    const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none") });
    const { hooks: declared, problems } = await config.loadSettings();
    expect(declared[0]?.target).toEqual({
      fields: { module: join(dir, ".hookline/beside.mjs") },
      identity: join(dir, ".hookline/beside.mjs"),
      files: [join(dir, ".hookline/beside.mjs")],
      uncovered: ["what ./beside.mjs imports"],
    });
    expect(problems.map(({ code, what }) => `${code} ${what}`)).toEqual([
      `COMMAND_NOT_FOUND "gone.mjs" was not found; looked for ${join(dir, "gone.mjs")} and ${join(dir, ".hookline/gone.mjs")}.`,
      `COMMAND_NOT_FOUND ".hookline" is a folder, not a file: ${join(dir, ".hookline")}.`,
    ]);
  });

  test("a guard whose module is missing blocks where it is set to", async () => {
    const { handler } = await testSystem(pluginHook("./gone.mjs", { onError: "block" }));
    const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
    expect(finalOutput).toMatchObject({ decision: "block", reason: expect.stringContaining('"./gone.mjs" was not') });
  });

  test("TypeScript runs where this Node can strip types, and is an error at load where it cannot", async () => {
    const { system, result } = await fireAt("denies.ts", { onError: "block" });
    const strips = "typescript" in process.features && Boolean(process.features.typescript);
    const reason = strips ? "typed" : expect.stringContaining("is TypeScript, which this Node");
    expect(result.finalOutput).toMatchObject({ decision: "block", reason });
    const next = "Compile it to JavaScript, or use Node 22.18 or newer.";
    expect(system.getStatus().problems).toMatchObject(strips ? [] : [{ code: "CONFIG_INVALID", next }]);
  });

  test("variables mean nothing to it, and whoever sets some is told", async () => {
    const { system } = await testSystem(pluginHook(fixture("allows.mjs"), { env: { A: "1" }, passEnv: ["B_TOKEN"] }));
    expect(system.getStatus().problems.map(({ what }) => what)).toEqual([
      '"env" has no meaning for a hook of type "plugin".',
      '"passEnv" has no meaning for a hook of type "plugin".',
    ]);
  });
});
