import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeDaemonHome, payload } from "../daemonHome.mjs";
import { runBare } from "../floor.mjs";
import { measure } from "../measure.mjs";
import { rounded, row } from "../row.mjs";

const ONE_BY_ONE = { rounds: 200, batchMs: 0, warmUpMs: 2_000 };
const SMALL = "x".repeat(1400);
const LARGE = "x".repeat(2 ** 20);
const CROWD = 64;
const IDLE_MS = 30_000;

export const cases = [
  { name: "call of another agent, Python worker", run: warm },
  { name: "call of another agent, 1 MB", run: large },
  { name: "daemon: first answer of a cold start", run: cold },
  { name: "daemon: 64 calls at once", run: crowd },
  { name: "daemon: idle", run: idle },
];

const hook = (name) => fileURLToPath(new URL(`../hooks/${name}`, import.meta.url));

function withWorker(dir) {
  const worker = { type: "worker", name: "watch", command: `python3 ${hook("worker.py")}` };
  return makeDaemonHome(dir, { hooks: { BeforeTool: [{ hooks: [worker] }] } });
}

/** As an agent calls it, through `sh -c`; beside it the same hook as a Python program that the agent starts itself. */
async function warm(name, dir) {
  const home = withWorker(dir);
  const command = `${home.client} ${home.args.join(" ")}`;
  const contenders = {
    floor: () => runBare("sh", ["-c", "/bin/true"], payload(SMALL)),
    ours: () => runBare("sh", ["-c", command], payload(SMALL)),
  };
  const times = await measure(contenders, ONE_BY_ONE);
  // Not in turns with the others: it leaves nothing of the daemon in the processor's caches.
  const own = () => runBare("sh", ["-c", `python3 ${hook("command.py")}`], payload(SMALL));
  const asCommand = (await measure({ own }, { ...ONE_BY_ONE, rounds: 60 })).own;
  await home.kill();
  const faster = asCommand / times.ours;
  const bars = [
    ["<= 5 ms", times.ours <= 5_000],
    [">= 4x faster than as the agent's own command", faster >= 4],
  ];
  return row(name, times, bars, { as_command_us: rounded(asCommand), times_faster: rounded(faster) });
}

async function large(name, dir) {
  const home = withWorker(dir);
  const ours = () => runBare(home.client, home.args, payload(LARGE));
  const times = await measure({ ours }, { ...ONE_BY_ONE, rounds: 100 });
  await home.kill();
  return row(name, times, [["< 20 ms", times.ours < 20_000]]);
}

async function cold(name, dir) {
  const home = withWorker(dir);
  const ours = async () => {
    const begun = performance.now();
    await runBare(home.client, home.args, payload(SMALL));
    const took = performance.now() - begun;
    await home.kill();
    return took;
  };
  await ours(); // the code cache
  const times = [];
  for (let round = 0; round < 15; round++) times.push(await ours());
  const median = times.toSorted((a, b) => a - b)[7] * 1000;
  return row(name, { ours: median }, [["< 250 ms", median < 250_000]]);
}

async function crowd(name, dir) {
  const home = withWorker(dir);
  await runBare(home.client, home.args, payload(SMALL));
  const all = (one) => Promise.all(Array.from({ length: CROWD }, one));
  const contenders = {
    floor: () => all(() => runBare("/bin/true", [], payload(SMALL))),
    ours: () => all(() => runBare(home.client, home.args, payload(SMALL))),
  };
  const before = callsIn(await home.status());
  let rounds = 0;
  const ours = () => {
    rounds += 1;
    return contenders.ours();
  };
  const times = await measure({ ...contenders, ours }, { rounds: 30, batchMs: 0, warmUpMs: 2_000 });
  const lost = before + rounds * CROWD - callsIn(await home.status());
  const waits = [];
  for (let round = 0; round < 30; round++) waits.push(...(await all(() => connected(home.socket))));
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)];
  await home.kill();
  const bars = [
    ["<= 1.3x of 64 times /bin/true", times.ours <= 1.3 * times.floor],
    ["p99 from connecting to the answer < 50 ms", p99 < 50],
    ["none lost", lost === 0],
  ];
  return row(name, times, bars, { p99_ms: rounded(p99), lost });
}

const callsIn = ({ hosts }) => hosts.reduce((sum, { calls }) => sum + calls, 0);

/** A call without the client: from connecting to the whole answer. */
async function connected(path) {
  const begun = performance.now();
  const socket = connect(path);
  const fields = ["version=1", "host=claude", "event=PreToolUse", `cwd=${process.cwd()}`, "deadline=30000"];
  const environment = ["PATH", "HOME"].map((key) => `${key}=${process.env[key]}`);
  const head = [...fields, "ask-deadline=60000", "trust-project=0", "env", ...environment, ""].join("\0");
  socket.write(Buffer.concat([Buffer.from("HKL1\n"), block(head), block(payload(SMALL))]));
  if ((await text(socket)) === "") throw new Error("The daemon did not answer");
  return performance.now() - begun;
}

function block(content) {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** After calls, with a warm worker: what it costs to be there. */
async function idle(name, dir) {
  const home = withWorker(dir);
  for (let call = 0; call < 20; call++) await runBare(home.client, home.args, payload(SMALL));
  const { pid } = await home.status();
  await setTimeout(30_000); // V8 tidies its heap for some 20 s after the last call
  const before = wakeUps(pid);
  await setTimeout(IDLE_MS);
  const perMinute = ((wakeUps(pid) - before) * 60_000) / IDLE_MS;
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  await home.kill();
  const bars = [
    ["<= 6 wake-ups a minute", perMinute <= 6],
    ["<= 110 MB", resident <= 110],
  ];
  return row(name, {}, bars, { wake_ups_a_minute: rounded(perMinute), resident_mb: rounded(resident) });
}

function wakeUps(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const count = (task) => {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, "utf8");
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  };
  return tasks.reduce((sum, task) => sum + count(task), 0);
}
