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
export function runCase({ name, oneProcessor = false }, dir) {
  const bound = oneProcessor ? ["taskset", "-c", String(cpus().length - 1)] : [];
  const run = start([...bound, process.execPath, PROGRAM, name, dir], dir);
  // Not Linux: measured where it falls.
  const { status, stdout } = run.error?.code === "ENOENT" ? start([process.execPath, PROGRAM, name, dir], dir) : run;
  if (status !== 0) throw new Error(`"${name}" failed`);
  return JSON.parse(stdout);
}

/** With a home of its own: bash reads its start-up file also where its input is a socket, and whatever is in that would be measured. */
function start([program, ...args], home) {
  const env = { ...process.env, HOME: home };
  return spawnSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
