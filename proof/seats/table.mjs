import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HOOK = fileURLToPath(new URL("tableHook.mjs", import.meta.url));
export async function tableSeat(run, { event, answer, once = false }) {
  const file = join(run.home, "answer.json");
  await writeFile(file, JSON.stringify({ answer, once }));
  const command = `${process.execPath} ${HOOK} ${run.agent.name} ${event} ${file}`;
  await run.agent.hook({ home: run.home, event, command, timeoutMs: 30_000 });
}
