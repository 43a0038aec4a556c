import { expect, test } from "vitest";
import { BUILT_IN_TOOLS } from "../../src/tools/index.ts";
import { cachedFiles, cachedModules, uncachedMachine } from "../support/codeCache.ts";
import { BINARY, endOf, type Machine } from "../support/machine.ts";
import { openAiSays, startOpenAiServer } from "../support/openaiServer.ts";

const PROJECT = {
  "project/.hookline/settings.json": {
    hooks: { BeforeTool: [{ matcher: "write_file", hooks: [{ type: "command", name: "guard", command: "true" }] }] },
  },
};

/** The packages that a command loads, in order of their names. */
async function packagesOf(args: readonly string[], file = args[0] ?? ""): Promise<readonly string[]> {
  const machine = uncachedMachine(PROJECT);
  const { code, stderr } = await machine.cli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return packagesIn(machine, file);
}

function packagesIn(machine: Machine, file: string): readonly string[] {
  return cachedModules(machine, file)
    .filter((name) => name.startsWith("package-"))
    .sort();
}

// What a command does not need takes time at each of its starts. Before a line is added here, see whether it can be loaded later.
test.each([
  [["--version"], "other", ["package-commander"]],
  [["--help"], "other", ["package-commander"]],
  [["help", "run"], "other", ["package-commander"]],
  [["events"], "events", ["package-commander"]],
  [["list"], "list", ["package-commander"]],
  [["validate"], "validate", ["package-commander"]],
  [["explain", "BeforeTool", "write_file"], "explain", ["package-commander"]],
])("%j loads the packages that it needs", async (args, file, packages) => {
  expect(await packagesOf(args, file)).toEqual(packages);
});

test.each([["--version"], ["--help"], ["help", "run"]])("%j reads no script but the first", async (...args) => {
  const machine = uncachedMachine(PROJECT);
  expect((await machine.cli(args)).code).toBe(0);
  expect(cachedFiles(machine, "other")).toEqual(["other-front.cjs", "other-package-commander.cjs"]);
});

test("--version runs one small module of the engine", async () => {
  const machine = uncachedMachine(PROJECT);
  await machine.cli(["--version"]);
  const engine = cachedModules(machine, "other").filter((name) => name.startsWith("engine-"));
  expect(engine).toEqual(["engine-config-layers-homeFolder"]);
});

test("list builds no schema of an event", async () => {
  const machine = uncachedMachine(PROJECT);
  await machine.cli(["list"]);
  const modules = cachedModules(machine, "list");
  expect(modules).toContain("engine-events-catalog");
  expect(modules.filter((name) => /^engine-events-.*[sS]chemas?$/.test(name))).toEqual([]);
});

test("a run that asks a model loads neither its SDK nor a parser of YAML", async () => {
  const machine = uncachedMachine(PROJECT);
  const server = await startOpenAiServer([openAiSays("Hello.")]);
  const model = `openai:any@${server.url}/v1`;
  const { code } = await machine.cli(["run", "-p", "hi", "--model", model, "--trust-project"]);
  expect(code).toBe(0);
  const needed = ["package-commander", "package-eventsource-parser", "package-zod"]; // the second reads the answer
  expect(packagesIn(machine, "run")).toEqual(needed);
  // The build made these from the schemas.
  const declared = BUILT_IN_TOOLS.map(({ name, parameters }) => ({ function: { name, parameters } }));
  expect(server.requests[0]?.body.tools).toMatchObject(declared);
});

/** The modules of Node that were loaded when a command ended. */
async function nodeModulesOf(args: readonly string[]): Promise<readonly string[]> {
  const list = "require('fs').writeFileSync(process.env.LOADED, process.moduleLoadList.join('\\n'))";
  const machine = uncachedMachine({ ...PROJECT, "list.cjs": `process.on("exit", () => { ${list}; });` });
  const env = { LOADED: `${machine.dir}/loaded` };
  const { code } = await endOf(machine.startNode(["-r", `${machine.dir}/list.cjs`, BINARY, ...args], { env }));
  expect(code).toBe(0);
  return machine
    .read("loaded")
    .split("\n")
    .map((line) => line.replace("NativeModule ", ""));
}

test.each(["--version", "--help"])("%s loads neither Node's network code nor its cryptography", async (flag) => {
  const loaded = await nodeModulesOf([flag]);
  expect(loaded).toContain("vm");
  for (const name of ["net", "stream", "child_process", "crypto"]) expect(loaded).not.toContain(name);
});

test("a run that asks a model does not load fetch", async () => {
  const server = await startOpenAiServer([openAiSays("Hello.")]);
  const model = `openai:any@${server.url}/v1`;
  const loaded = await nodeModulesOf(["run", "-p", "hi", "--model", model, "--trust-project"]);
  expect(loaded).toContain("http");
  expect(loaded).not.toContain("internal/deps/undici/undici");
});
