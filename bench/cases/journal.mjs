import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { HookSystem } from "../../packages/engine/dist/index.js";
import { measure } from "../measure.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [{ name: "journal of an event of 2 KB, on the caller's thread", run }];

const BAR_US = 50;
const INPUT = { file_path: "src/a.ts", content: "export const retries = 3; // and so on\n".repeat(51) };

/** What is timed is the caller's part: between batches the journal's thread may write down what it was given. */
async function run(name, dir) {
  const { Journal } = await import("../../packages/journal/dist/index.js");
  const [projectRoot, homeDir] = [join(dir, "journal-project"), join(dir, "journal-home")];
  await Promise.all([projectRoot, homeDir].map((folder) => mkdir(folder, { recursive: true })));
  const journal = new Journal();
  const floor = await start(dir, undefined);
  const ours = await start(dir, journal);
  const options = ours.system.getEngineOptions().journal;
  const onNotice = (text) => {
    throw new Error(text);
  };
  journal.start({ projectRoot, homeDir, options, env: process.env, onNotice });
  const times = await measure(
    { floor: { timeBatch: timed(floor.fire, journal) }, ours: { timeBatch: timed(ours.fire, journal) } },
    { rounds: 60, batchMs: 10, warmUpMs: 2_000 },
  );
  await Promise.all([floor.system.dispose(), ours.system.dispose(), journal.close()]);
  const added = times.ours - times.floor;
  return row(name, times, [[`<= ${BAR_US} us more than without`, added <= BAR_US]], { added_us: rounded(added) });
}

function timed(fire, journal) {
  return async (batch) => {
    const startedAt = performance.now();
    for (let nth = 0; nth < batch; nth++) await fire();
    const took = performance.now() - startedAt;
    while (journal.pending > 0) await setTimeout(1);
    return took;
  };
}

async function start(dir, recorder) {
  const config = {
    getSessionId: () => "bench",
    getWorkingDir: () => dir,
    getTranscriptPath: () => "",
    getHooks: () => ({}),
    getEnableHooks: () => true,
    getExtensions: () => [],
    getHookSystem: () => system,
  };
  const system = new HookSystem(config, { trust: "all", ...(recorder ? { recorder } : {}) });
  await system.initialize();
  system.registerHook({ type: "runtime", name: "allow", action: async () => ({ decision: "allow" }) }, "BeforeTool");
  const event = { tool_name: "write_file", tool_input: INPUT, tool_call_id: "1" };
  return { system, fire: () => system.getEventHandler().fireBeforeToolEvent(event) };
}
