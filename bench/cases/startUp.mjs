import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "../measure.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [{ name: "hookline run to its first model request", run }];

const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/hookline.js", import.meta.url));
const BAR = 3;

/** From the start of the process to the moment when a request reaches the model's server; beside it, Node that does nothing. */
async function run(name, dir) {
  const project = join(dir, "start-up");
  await mkdir(join(project, ".hookline"), { recursive: true });
  const hooks = {
    BeforeTool: [{ matcher: "write_file", hooks: [{ type: "command", command: "true", timeout: "5s" }] }],
  };
  await writeFile(join(project, ".hookline/settings.json"), JSON.stringify({ hooks }));
  const server = await startServer();
  const asked = (model) => untilAsked(server, project, model);
  const times = await measure(
    { ours: () => asked(`openai:any@${server.url}/v1`), floor: bareNode, gemini: () => asked("gemini-2.5-pro") },
    { rounds: 30, batchMs: 0 },
  );
  server.close();
  return row(name, times, [[`<= ${BAR}x node -e 0`, times.ours <= times.floor * BAR]], {
    with_gemini_sdk_us: rounded(times.gemini),
    with_gemini_sdk_ratio: rounded(times.gemini / times.floor),
  });
}

async function startServer() {
  let onRequest = () => {};
  const server = createServer((request) => onRequest(request));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    request: () => new Promise((resolve) => (onRequest = resolve)),
    close: () => server.close(),
  };
}

async function untilAsked(server, project, model) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: server.url,
  };
  const args = [PROGRAM, "run", "-p", "hi", "--model", model, "--trust-project"];
  const asked = server.request();
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: "ignore" });
  await asked;
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
}

function bareNode() {
  return new Promise((resolve) => spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).once("exit", resolve));
}
