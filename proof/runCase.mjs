import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("case.mjs", import.meta.url));
const LIMIT_MS = 120_000;

/** What was seen in one case. `isolated` is how to start a program without network. */
export function runCase({ agent, name, modules, isolated = [] }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-")));
  const [program, ...args] = [...isolated, process.execPath, PROGRAM, agent, name, modules, folder];
  const env = { PATH: process.env.PATH, HOME: folder };
  try {
    const { status, stdout, stderr } = spawnSync(program, args, {
      env,
      encoding: "utf8",
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
    if (status !== 0) throw new Error(stderr.trim() || `it took more than ${LIMIT_MS / 1000} s`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
