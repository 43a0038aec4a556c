import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("case.mjs", import.meta.url));

/**
 * The row of one case, measured in a process of its own: what earlier cases left in the heap is not paid by later ones.
 *
 * Where two processes wait for each other, all of it is bound to one processor. To wake a processor that has gone to
 * sleep takes longer than all that is measured there, and which contender pays for it is the scheduler's whim.
 */
export function runCase({ name, oneProcessor = false, usesNetwork = false }, dir) {
  const env = { ...(usesNetwork ? process.env : { PATH: process.env.PATH }), HOME: dir };
  const bound = oneProcessor ? ["taskset", "-c", String(cpus().length - 1)] : [];
  const run = start([...bound, process.execPath, PROGRAM, name, dir], env);
  // Not Linux: measured where it falls.
  const { status, stdout } = run.error?.code === "ENOENT" ? start([process.execPath, PROGRAM, name, dir], env) : run;
  if (status !== 0) throw new Error(`"${name}" failed`);
  return JSON.parse(stdout);
}

/**
 * The same clean environment for all contenders: NODE_EXTRA_CA_CERTS alone adds 50 ms to a start of Node, and bash reads
 * the start-up file of HOME where its input is a socket.
 */
function start([program, ...args], env) {
  return spawnSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
