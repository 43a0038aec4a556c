import { InProcessMessageBus, serveHooks } from "../../packages/engine/dist/index.js";
import { apart } from "../apart.mjs";
import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { row } from "../row.mjs";

export const cases = [{ name: "bus round trip without hooks", run }];

async function run(name, dir) {
  const contenders = { ours: await apart(import.meta.url, "roundTrip", dir) };
  const times = await measure(contenders, { rounds: 24, batchMs: 100 });
  await contenders.ours.close();
  return row(name, times, [["< 20 us", times.ours < 20]]);
}

const payload = { tool_name: "write_file", tool_input: { file_path: "a.txt", content: "x" }, tool_call_id: "1" };

export async function roundTrip(dir) {
  const { config } = await startOurs({ dir });
  const bus = new InProcessMessageBus();
  serveHooks(bus, config);
  const { result } = await bus.request({ eventName: "BeforeTool", payload });
  if (!result.success) throw new Error("the request was not served");
  return () => bus.request({ eventName: "BeforeTool", payload });
}
