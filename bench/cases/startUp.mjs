import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "../measure.mjs";
import { rounded, row } from "../row.mjs";

const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/hookline.js", import.meta.url));
const OFTEN = { rounds: 30, batchMs: 0 };

/** Each command beside Node that does nothing, and how many times as long it may take. */
const COMMANDS = [
  [["--version"], 1.5],
  [["--help"], 1.5],
  [["list"], 3],
  [["events"], 3],
  [["explain", "BeforeTool", "write_file"], 3],
  [["validate"], 3],
];
const RUN_BAR = 3;

export const cases = [
  ...COMMANDS.map(([args, bar]) => ({
    name: `start-up: hookline ${args[0]}`,
    run: (name, dir) => command(name, dir, args, bar),
  })),
  { name: "start-up: hookline run to its first model request", run },
];

/** From the start of the process to its end. */
async function command(name, dir, args, bar) {
  const start = starter(await makeProject(dir));
  const times = await measure(
    { ours: () => ended(start([PROGRAM, ...args])), floor: () => ended(start(["-e", "0"])) },
    OFTEN,
  );
  return row(name, times, [atMost(bar, times)]);
}

/** From the start of the process to the moment when a request reaches the model's server. */
async function run(name, dir) {
  const server = await startServer();
  const start = starter(await makeProject(dir), { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: server.url });
  const child = (model) => start([PROGRAM, "run", "-p", "hi", "--model", model, "--trust-project"]);
  const models = { ours: `openai:any@${server.url}/v1`, gemini: "gemini-2.5-pro" };
  // What is killed does not keep what was compiled.
  for (const model of Object.values(models)) await refused(server, child(model));
  const times = await measure(
    {
      ours: () => untilAsked(server, child(models.ours)),
      floor: () => ended(start(["-e", "0"])),
      gemini: () => untilAsked(server, child(models.gemini)),
    },
    OFTEN,
  );
  server.close();
  return row(name, times, [atMost(RUN_BAR, times)], {
    with_gemini_sdk_us: rounded(times.gemini),
    with_gemini_sdk_ratio: rounded(times.gemini / times.floor),
  });
}

const atMost = (bar, { ours, floor }) => [`<= ${bar}x node -e 0`, ours <= floor * bar];

async function makeProject(dir) {
  const project = join(dir, "start-up");
  await mkdir(join(project, ".hookline"), { recursive: true });
  const hooks = {
    BeforeTool: [{ matcher: "write_file", hooks: [{ type: "command", command: "true", timeout: "5s" }] }],
  };
  await writeFile(join(project, ".hookline/settings.json"), JSON.stringify({ hooks }));
  return project;
}

/** Starts Node with the same environment for all contenders. */
function starter(cwd, more = {}) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...more };
  return (args) => spawn(process.execPath, args, { cwd, env, stdio: "ignore" });
}

async function startServer() {
  let onRequest = () => {};
  const server = createServer((_, response) => onRequest(response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    request: () => new Promise((resolve) => (onRequest = resolve)),
    close: () => server.close(),
  };
}

async function untilAsked(server, child) {
  await server.request();
  child.kill("SIGKILL");
  await ended(child);
}

async function refused(server, child) {
  const response = await server.request();
  response.writeHead(400).end();
  await ended(child);
}

function ended(child) {
  return new Promise((resolve) => child.once("exit", resolve));
}
