import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apart } from "../apart.mjs";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

export const cases = [
  { name: "plugin hook", run: (name, dir) => run(name, dir, { whose: "user", bar: 1.5 }) },
  // The trust gate looks at the file at every run, and a stat costs almost as much as a runtime hook.
  { name: "plugin hook of a project", run: (name, dir) => run(name, dir, { whose: "project", bar: 2.5 }) },
];

async function run(name, dir, { whose, bar }) {
  const contenders = {
    ours: await apart(import.meta.url, whose, dir),
    floor: await apart(import.meta.url, "runtime", dir),
  };
  const times = await measure(contenders, { rounds: 24, batchMs: 100 });
  await Promise.all(Object.values(contenders).map(({ close }) => close()));
  return row(name, times, [[`<= ${bar}x a runtime hook`, times.ours <= times.floor * bar]]);
}

const INPUT = { file_path: "a.txt", content: "x" };
const ACTION = 'async () => ({ decision: "allow" })';

export async function runtime(dir) {
  const { startOurs } = await import("../ours.mjs");
  const action = async () => ({ decision: "allow" });
  return firing((await startOurs({ dir, runtimeHook: { type: "runtime", name: "allow", action } })).beforeTool);
}

/** Trusted as it is at start; the trust gate looks at the file at every run. */
export async function project(dir) {
  const { startOurs } = await import("../ours.mjs");
  const module = await pluginIn(dir);
  return firing(
    (await startOurs({ dir, hooks: { BeforeTool: [{ hooks: [{ type: "plugin", module }] }] } })).beforeTool,
  );
}

/** From a user's settings, which need no trust. */
export async function user(dir) {
  const { SettingsConfig } = await import("../../packages/engine/dist/index.js");
  const home = join(dir, "home");
  const module = await pluginIn(join(home, ".hookline"));
  const hooks = { BeforeTool: [{ hooks: [{ type: "plugin", module }] }] };
  await writeFile(join(home, ".hookline/settings.json"), JSON.stringify({ hooks }));
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none") });
  await config.getHookSystem().initialize();
  return firing((tool_name, tool_input) =>
    config.getHookSystem().getEventHandler().fireBeforeToolEvent({ tool_name, tool_input, tool_call_id: "1" }),
  );
}

async function pluginIn(dir) {
  const file = join(dir, "allow.mjs");
  await mkdir(dir, { recursive: true });
  await writeFile(file, `export default ${ACTION};\n`);
  return file;
}

async function firing(beforeTool) {
  const { finalOutput } = await beforeTool("write_file", INPUT);
  if (finalOutput?.decision !== "allow") throw new Error("the hook was not heard");
  return () => beforeTool("write_file", INPUT);
}
