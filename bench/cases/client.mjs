import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { CLIENT } from "../../scripts/client.mjs";
import { runBare } from "../floor.mjs";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

const ONE_BY_ONE = { rounds: 400, batchMs: 0 }; // the median of single runs: processes have wild outliers
const ARGS = ["claude", "PreToolUse", "--deadline", "30000", "--ask-deadline", "60000"];
const SMALL = JSON.stringify({ tool_name: "Write", tool_input: { file_path: "a.txt", content: "x".repeat(1400) } });
const LARGE = JSON.stringify({ tool_name: "Write", tool_input: { file_path: "a.txt", content: "x".repeat(2 ** 20) } });

export const cases = [
  {
    name: "native client",
    run: (name, dir) => beside(name, dir, ["/bin/true"], (client) => [client, ...ARGS], "/bin/true"),
  },
  {
    name: "native client, sh -c",
    run: (name, dir) =>
      beside(
        name,
        dir,
        ["sh", "-c", "/bin/true"],
        (client) => ["sh", "-c", `${client} ${ARGS.join(" ")}`],
        "sh -c /bin/true",
      ),
  },
  { name: "native client, 1 MB payload", run: large },
];

/** The client and its answer, beside a program that does nothing. */
async function beside(name, dir, [file, ...args], commandOf, what) {
  const { client, close } = await install(dir);
  const [program, ...words] = commandOf(client);
  const contenders = { floor: () => runBare(file, args, SMALL), ours: () => echoed(program, words, SMALL) };
  const times = await measure(contenders, ONE_BY_ONE);
  await close();
  return row(name, times, [[`<= 1.5x ${what}`, times.ours <= 1.5 * times.floor]]);
}

async function large(name, dir) {
  const { client, close } = await install(dir);
  const times = await measure({ ours: () => echoed(client, ARGS, LARGE) }, { ...ONE_BY_ONE, rounds: 100 });
  await close();
  return row(name, times, [["< 20 ms", times.ours < 20_000]]);
}

async function echoed(program, args, payload) {
  const answer = await runBare(program, args, payload);
  if (answer !== payload) throw new Error(`The client printed ${answer.length} of ${payload.length} characters`);
}

/** A copy of the client, with a server that echoes in a thread of its own. */
async function install(dir) {
  if (!existsSync(CLIENT)) throw new Error("The native client was not built: `npm run build` needs a C compiler");
  const home = join(dir, ".hookline");
  const [client, run] = [join(home, "bin/hookline-hook"), join(home, "run")];
  mkdirSync(join(home, "bin"), { recursive: true });
  mkdirSync(run, { recursive: true, mode: 0o700 });
  copyFileSync(CLIENT, client);
  chmodSync(client, 0o755);
  writeFileSync(join(run, "closed"), "BeforeTool\t/\n", { mode: 0o600 });
  const socket = join(run, "daemon.sock");
  const server = new Worker(new URL("../clientServer.mjs", import.meta.url), { workerData: socket });
  await new Promise((resolve, reject) => server.once("message", resolve).once("error", reject));
  return { client, close: () => server.terminate() };
}
