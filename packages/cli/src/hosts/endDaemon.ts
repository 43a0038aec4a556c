import { setTimeout } from "node:timers/promises";
import { askDaemon } from "../daemon/askDaemon.ts";
import { daemonStatusSchema, stoppedSchema } from "../daemon/controlSchemas.ts";
import { processFacts } from "../terminal/processes.ts";

const PATIENCE_MS = 5_000;
const PAUSE_MS = 20;

/** Ends the daemon after the last uninstall. False if it keeps running: a question is open, or it is busy. */
export async function endDaemon(homeDir: string): Promise<boolean> {
  const status = await askDaemon(homeDir, { ask: "status" }, daemonStatusSchema).catch(() => null);
  if (status === undefined) return true; // none runs
  if (status === null || status.questions > 0) return false;
  const startedAt = processFacts(status.pid)?.startedAt;
  await askDaemon(homeDir, { ask: "stop" }, stoppedSchema);
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await setTimeout(PAUSE_MS)) {
    if (processFacts(status.pid)?.startedAt !== startedAt) return true;
  }
  return false;
}
