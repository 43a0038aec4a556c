import { describe, expect, test, vi } from "vitest";
import { ENGINE, endOf, Machine, PROJECT_FILE } from "../support/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const DENY = `{ decision: "block", reason: "no" }`;
/** Guards that think for a while and then object, in every kind there is. */
const SLOW_GUARDS = {
  "project/guard.sh": "#!/bin/sh\ntouch started\nsleep 20\necho no >&2\nexit 2\n",
  "project/worker.mjs": `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, event } = JSON.parse(line);
  if (!event) return;
  writeFileSync("started", "");
  setTimeout(() => console.log(JSON.stringify({ id, output: ${DENY} })), 20_000);
});`,
  "project/plugin.mjs": `
import { writeFileSync } from "node:fs";
export default async () => {
  writeFileSync("started", "");
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  return ${DENY};
};`,
};

/** Guards that object at once. */
const QUICK_GUARDS = {
  "project/deny.sh": "#!/bin/sh\necho no >&2\nexit 2\n",
  "project/ask.sh": '#!/bin/sh\necho \'{"decision":"ask"}\'\n',
  "project/deny.mjs": `export default () => (${DENY});`,
  "project/denier.mjs": `
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, event } = JSON.parse(line);
  if (event) console.log(JSON.stringify({ id, output: ${DENY} }));
});`,
};

/** A program that embeds the engine. `body` has a system whose hooks are `hooks`, and prints what came of a call. */
async function embed(hooks: string, body: string, { options = "{}", descriptors = 1024 } = {}): Promise<unknown> {
  const machine = new Machine({ ...SLOW_GUARDS, ...QUICK_GUARDS });
  machine.write({
    "project/embedder.mjs": `
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { executeToolWithHooks, HookSystem } from ${JSON.stringify(ENGINE)};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const started = async () => { while (!existsSync("started")) await pause(20); };
const server = createServer((request, response) => {
  request.resume();
  if (request.url === "/deny") response.end(JSON.stringify(${DENY}));
  else writeFileSync("started", "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = "http://127.0.0.1:" + server.address().port + "/";
const hooks = { BeforeTool: [{ hooks: [${hooks}] }] };
const config = {
  getSessionId: () => "s", getWorkingDir: () => process.cwd(), getTranscriptPath: () => "",
  getHooks: () => hooks, getEnableHooks: () => true, getExtensions: () => [], getHookSystem: () => system,
};
const system = new HookSystem(config, { trust: "all", homeDir: ${JSON.stringify(machine.home)}, ...${options} });
let ran = false;
const tool = async () => { ran = true; return { llmContent: "ran", returnDisplay: "ran" }; };
const call = (options) => executeToolWithHooks(config, "write_file", { file_path: "x" }, tool, options);
const show = (value) => process.stdout.write(JSON.stringify(value));
${body}
process.exit(0);`,
  });
  const child = machine.startNode(["embedder.mjs"], { descriptors });
  const { stdout, stderr, code } = await endOf(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const KINDS: readonly (readonly [string, string])[] = [
  ["a command", '{ type: "command", command: "./guard.sh" }'],
  ["a command that ignores SIGTERM", `{ type: "command", command: "trap '' TERM; ./guard.sh" }`],
  ["a worker", `{ type: "worker", command: ${JSON.stringify(`${process.execPath} worker.mjs`)} }`],
  ["a plugin", '{ type: "plugin", module: "./plugin.mjs" }'],
  ["an endpoint", '{ type: "http", url }'],
];

describe("a program that shuts its hook system down while a guard thinks", () => {
  test.each(KINDS)("does not run the tool that %s was asked about", async (_, hook) => {
    const body = `
const called = call();
await started();
const at = Date.now();
await system.dispose();
const result = await called;
show({ ran, says: result.llmContent, inTime: Date.now() - at < 15_000 });`;
    const says = expect.stringContaining("the hook system was shut down");
    expect(await embed(hook, body)).toEqual({ ran: false, says, inTime: true });
  });

  test("does not run the tool that a function of its own was asked about", async () => {
    const body = `
await system.initialize();
let aborted = false;
const think = (_, { signal }) => new Promise(() => { signal.onabort = () => { aborted = true; }; writeFileSync("started", ""); });
system.registerHook({ type: "runtime", name: "thinks", action: think }, "BeforeTool");
const called = call();
await started();
await system.dispose();
await called;
show({ ran, aborted });`;
    expect(await embed('{ type: "command", command: "true" }', body)).toEqual({ ran: false, aborted: true });
  });

  test("runs none of fifty calls whose guard had not answered", async () => {
    const body = `
let ran50 = 0;
const counted = async () => { ran50 += 1; return tool(); };
const all = Array.from({ length: 50 }, () => executeToolWithHooks(config, "write_file", {}, counted));
await started();
await system.dispose();
await Promise.all(all);
show(ran50);`;
    expect(await embed('{ type: "command", command: "./guard.sh" }', body)).toBe(0);
  });

  test.each(KINDS.slice(2))("runs no tool after that, whatever %s would have said", async (_, hook) => {
    const body = `
await system.initialize();
await system.dispose();
const result = await Promise.race([call(), pause(10_000)]);
show({ ran, answered: result !== undefined });`;
    expect(await embed(hook, body)).toEqual({ ran: false, answered: true });
  });

  test("runs no tool when it did so while the system was being started", async () => {
    const body = `
const called = call();
await system.dispose();
await called;
show(ran);`;
    expect(await embed('{ type: "command", command: "sleep 1; exit 0" }', body)).toBe(false);
  });
});

describe("a program that is out of descriptors when a guard is to be asked", () => {
  test.each([
    ["a command", '{ type: "command", command: "./deny.sh", timeout: "4s" }'],
    ["a worker", `{ type: "worker", command: ${JSON.stringify(`${process.execPath} denier.mjs`)}, timeout: "10s" }`],
    ["a plugin", '{ type: "plugin", module: "./deny.mjs", timeout: "4s" }'],
    ["an endpoint", '{ type: "http", url: url + "deny", timeout: "10s" }'],
  ])("waits for them, and %s is asked", async (_, hook) => {
    const body = `
await system.initialize();
const held = [];
try { for (;;) held.push(openSync("/dev/null", "r")); } catch {}
const called = call();
// Longer than the time that the hook itself may take.
await pause(4_500);
const early = ran;
for (const one of held) closeSync(one);
const result = await called;
show({ early, ran, says: result.llmContent });`;
    const says = "Tool call blocked by hook: no";
    expect(await embed(hook, body, { descriptors: 256 })).toEqual({ early: false, ran: false, says });
  });
});

const DENIES = '{ type: "command", command: "./deny.sh" }';
const BLOCKED = "Tool call blocked by hook: no";

describe("a recorder that fails", () => {
  test.each([
    ["by rejecting", "{ record: async () => { throw new Error('disk full'); } }"],
    ["by rejecting later", "{ record: () => new Promise((_, reject) => setTimeout(reject, 5, new Error('full'))) }"],
    ["by throwing in its commit", "{ record() {}, commit() { throw new Error('disk full'); } }"],
    ["by a commit that is no promise", "{ record() {}, commit: () => 7 }"],
  ])("%s neither ends the program nor opens the gate", async (_, recorder) => {
    const body = "const result = await call();\nawait pause(100);\nshow({ ran, says: result.llmContent });";
    expect(await embed(DENIES, body, { options: `{ recorder: ${recorder} }` })).toEqual({ ran: false, says: BLOCKED });
  });
});

describe("a callback of the embedding program that fails", () => {
  test.each([
    ["getSessionId throws", "config.getSessionId = () => { throw new Error('no session'); };"],
    ["getWorkingDir throws once it runs", "config.getWorkingDir = () => { throw new Error('gone'); };"],
    ["getTranscriptPath throws", "config.getTranscriptPath = () => { throw new Error('none'); };"],
  ])("because %s does not keep a guard from being asked", async (_, breaks) => {
    const body = `await system.initialize();\n${breaks}\nconst result = await call();\nshow({ ran, says: result.llmContent });`;
    expect(await embed(DENIES, body)).toEqual({ ran: false, says: BLOCKED });
  });
});

describe("a trust policy that means nothing", () => {
  test.each([
    ["a typo", '"al"'],
    ["a boolean", "true"],
    ["null", "null"],
    ["a callback without a return", "() => {}"],
    ["a callback that answers in words", 'async () => "yes"'],
  ])("such as %s lets no tool run, and says so", async (_, policy) => {
    const body = `
const why = await system.initialize().then(() => "started", (error) => error.code);
await call();
show({ ran, why });`;
    const options = `{ trust: ${policy} }`;
    expect(await embed(DENIES, body, { options })).toEqual({ ran: false, why: "OPTION_INVALID" });
  });
});

describe("an abort while a person is asked", () => {
  const never = "() => new Promise(() => {})";

  test.each([
    ["to approve what a hook asks about", `{ approve: ${never} }`, "{}"],
    ["to confirm what the tool asks about", `{ confirm: ${never}, approve: () => true }`, "{}"],
    ["whether the arguments are right", `{ validate: ${never} }`, "{}"],
    ["to trust the project", "{}", `{ trust: ${never} }`],
  ])("%s is heard at once", async (_, given, options) => {
    const body = `
const controller = new AbortController();
const called = call({ ...${given}, signal: controller.signal });
await pause(300);
controller.abort();
const result = await Promise.race([called, pause(10_000)]);
show({ ran, heard: result !== undefined });`;
    expect(await embed('{ type: "command", command: "./ask.sh" }', body, { options })).toEqual({
      ran: false,
      heard: true,
    });
  });
});

describe("a clone with thousands of hooks does not hold up the program that embeds the engine", () => {
  const COUNT = 4_000;
  const each = (declare: (nth: number) => object) => Array.from({ length: COUNT }, (_, nth) => declare(nth));
  const command = (text: string) => ({ type: "command", command: text });
  const HOOKS: readonly [string, object[]][] = [
    ["with a matcher each", each((nth) => ({ matcher: `tool_${nth}`, hooks: [command(`echo ${nth}`)] }))],
    ["in one list", [{ hooks: each((nth) => command(`true ${nth} | cat`)) }]],
    ["that all fail to load", [{ hooks: each((nth) => command(`hooks/${nth}.sh`)) }]],
  ];

  test.each(HOOKS)("%s", async (_how, BeforeTool) => {
    const machine = new Machine({ [PROJECT_FILE]: { hooks: { BeforeTool } } });
    machine.write({
      "embedder.mjs": `
import { SettingsConfig } from ${JSON.stringify(ENGINE)};
let [last, longest] = [performance.now(), 0];
const watch = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; };
setInterval(watch, 5);
const begin = performance.now();
const options = { workingDir: process.cwd(), homeDir: ${JSON.stringify(machine.home)}, systemFile: "/none", trust: "skip" };
const { hooks } = await new SettingsConfig(options).loadSettings();
watch();
process.stdout.write(JSON.stringify({ hooks: hooks.length, share: longest / (performance.now() - begin) }));
process.exit(0);`,
    });
    const child = machine.startNode([`${machine.dir}/embedder.mjs`]);
    child.stdin?.end();
    const { hooks, share } = JSON.parse((await endOf(child)).stdout);
    expect(hooks).toBe(COUNT);
    expect(share).toBeLessThan(0.6);
  });
});
