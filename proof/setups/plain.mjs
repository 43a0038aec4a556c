import { join } from "node:path";
import { writeScript } from "../files.mjs";

/** A script of ours in the agent's own settings, without hookline; null: a program that is not there. */
export async function plainSetup(run, { event, script, timeoutMs = 30_000, blocksOnFailure = false }) {
  const command = join(run.home, "hook.sh");
  if (script !== null) {
    run.hookMark = join(run.home, "asked");
    await writeScript(command, `touch "$HOME/asked"\n${script}`);
  }
  await run.agent.hook({ home: run.home, event, command, timeoutMs, blocksOnFailure });
}
