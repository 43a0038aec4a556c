import { spawn } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { ENGINE, endOf, Machine, PROJECT_FILE } from "../support/machine.ts";

test("a program that is bundled with the engine starts, and its guards are on", { timeout: 60_000 }, async () => {
  const guard = { matcher: "^run_(shell|x)+", hooks: [{ type: "command", name: "g", command: "echo no >&2; exit 2" }] };
  const machine = new Machine({ [PROJECT_FILE]: { hooks: { BeforeTool: [guard] } } });
  const options = JSON.stringify({ workingDir: machine.project, homeDir: machine.home, trust: "all" });
  machine.write({
    "server.mjs": `import { SettingsConfig, executeToolWithHooks } from ${JSON.stringify(ENGINE)};
      const tool = { execute: async () => ({ llmContent: "RAN", returnDisplay: "" }) };
      const config = new SettingsConfig(${options});
      const call = await executeToolWithHooks(config, "run_shell_command", { command: "rm x" }, tool);
      console.log(JSON.stringify(call));`,
  });
  const bundle = await rolldown({ input: join(machine.dir, "server.mjs"), platform: "node", logLevel: "silent" });
  await bundle.write({ dir: join(machine.dir, "out"), format: "esm" });
  const ended = await endOf(spawn(process.execPath, [join(machine.dir, "out/server.js")], { env: machine.env() }));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Tool call blocked by hook: no") });
});
