import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CLIENT } from "../scripts/client.mjs";

const PROGRAM = fileURLToPath(new URL("../packages/cli/bin/hookline.js", import.meta.url));
const ARGS = ["claude", "PreToolUse", "--deadline", "30000", "--ask-deadline", "60000"];

/** A home with hookline installed for Claude Code. The first call starts the daemon. */
export function makeDaemonHome(dir, settings) {
  if (!existsSync(CLIENT)) throw new Error("The native client was not built: `npm run build` needs a C compiler");
  const home = join(dir, "home");
  const [client, run] = [join(home, ".hookline/bin/hookline-hook"), join(home, ".hookline/run")];
  mkdirSync(join(home, ".hookline/bin"), { recursive: true });
  mkdirSync(run, { recursive: true, mode: 0o700 });
  copyFileSync(CLIENT, client);
  chmodSync(client, 0o755);
  writeFileSync(join(home, ".hookline/settings.json"), JSON.stringify(settings));
  writeFileSync(join(run, "daemon.start"), [process.execPath, PROGRAM, "daemon", "run", "--home", home, ""].join("\0"));
  const socket = join(run, "daemon.sock");
  return { client, args: ARGS, socket, status: () => control(socket, "status"), kill: () => kill(socket) };
}

/** A call of Claude Code, before a file is written; each has an id of its own, as an agent's calls have. */
export function payload(content) {
  calls += 1;
  const tool_input = { file_path: "a.txt", content };
  return JSON.stringify({
    session_id: "bench",
    cwd: process.cwd(),
    tool_name: "Write",
    tool_input,
    tool_use_id: `${calls}`,
  });
}

let calls = 0;

async function control(path, ask) {
  const socket = connect(path);
  socket.end(`${JSON.stringify({ ask })}\n`);
  return JSON.parse(await text(socket));
}

async function kill(socket) {
  const { pid } = await control(socket, "status");
  process.kill(pid, "SIGKILL");
}
