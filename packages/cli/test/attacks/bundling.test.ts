import { spawn } from "node:child_process";
import { join } from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import { expect, test, vi } from "vitest";
import { ENGINE, endOf, Machine, PROJECT_FILE } from "../support/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const GUARD = { matcher: "^run_(shell|x)+", hooks: [{ type: "command", name: "g", command: "echo no >&2; exit 2" }] };

/** What a program prints that was bundled into one file and is started from there. */
async function bundled(machine: Machine, source: string, output: OutputOptions): Promise<string> {
  machine.write({ "server.mjs": source });
  const bundle = await rolldown({ input: join(machine.dir, "server.mjs"), platform: "node", logLevel: "silent" });
  const file = join(machine.dir, `out/server.${output.format === "cjs" ? "cjs" : "mjs"}`);
  await bundle.write({ ...output, file, codeSplitting: false });
  const { code, stdout, stderr } = await endOf(spawn(process.execPath, [file], { env: machine.env() }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const FORMATS: readonly (readonly [string, OutputOptions])[] = [
  ["as an ES module", { format: "esm" }],
  ["as an ES module and minified", { format: "esm", minify: true }],
  ["as a CommonJS module", { format: "cjs" }],
  ["as a CommonJS module and minified", { format: "cjs", minify: true }],
];

test.each(FORMATS)("a program that is bundled with the engine %s starts, and its guards are on", async (_, output) => {
  const machine = new Machine({ [PROJECT_FILE]: { hooks: { BeforeTool: [GUARD] } } });
  const options = JSON.stringify({ workingDir: machine.project, homeDir: machine.home, trust: "all" });
  const source = `import { SettingsConfig, executeToolWithHooks } from ${JSON.stringify(ENGINE)};
    const tool = { execute: async () => ({ llmContent: "RAN", returnDisplay: "" }) };
    const config = new SettingsConfig(${options});
    executeToolWithHooks(config, "run_shell_command", { command: "rm x" }, tool).then((call) => console.log(JSON.stringify(call)));`;
  expect(await bundled(machine, source, output)).toContain("Tool call blocked by hook: no");
});

test("a plugin of a program that is bundled as a CommonJS module is loaded and asked", async () => {
  const plugin = { hooks: [{ type: "plugin", name: "p", module: "./guard.mjs" }] };
  const machine = new Machine({
    [PROJECT_FILE]: { hooks: { BeforeTool: [plugin] } },
    "project/guard.mjs": 'export default () => ({ decision: "deny", reason: "no" });',
  });
  const options = JSON.stringify({ workingDir: machine.project, homeDir: machine.home, trust: "all" });
  const source = `import { SettingsConfig, executeToolWithHooks } from ${JSON.stringify(ENGINE)};
    const tool = { execute: async () => ({ llmContent: "RAN", returnDisplay: "" }) };
    executeToolWithHooks(new SettingsConfig(${options}), "glob", {}, tool).then((call) => console.log(JSON.stringify(call)));`;
  expect(await bundled(machine, source, { format: "cjs" })).toContain("Tool call blocked by hook: no");
});
