import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Processes end with their namespace, so a daemon or an agent that was left behind does, too. */
const PROCESSES = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const WAYS = [
  ["unshare", "--net", ...PROCESSES],
  ["unshare", "--map-root-user", "--net", ...PROCESSES],
];

/**
 * How to start a program without network: what goes before its command line. Names are asked for on loopback only, where `noNames.mjs`
 * answers at once; without an answer Codex waits for five seconds. Undefined where the machine allows no namespaces.
 */
export function isolation(folder) {
  const resolver = join(folder, "resolv.conf");
  writeFileSync(resolver, "nameserver 127.0.0.1\n");
  const setUp = `PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && mount --bind '${resolver}' /etc/resolv.conf && exec "$@"`;
  const ways = WAYS.map((way) => [...way, "sh", "-c", setUp, "sh"]);
  return ways.find(([program, ...args]) => spawnSync(program, [...args, "true"]).status === 0);
}
