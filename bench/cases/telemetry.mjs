import { createRequire } from "node:module";
import { apart } from "../apart.mjs";
import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [{ name: "telemetry that samples nothing, one runtime hook", run }];

async function run(name, dir) {
  const contenders = {
    floor: await apart(import.meta.url, "untraced", dir),
    ours: await apart(import.meta.url, "traced", dir),
  };
  const times = await measure(contenders, { rounds: 24, batchMs: 100 });
  await Promise.all(Object.values(contenders).map(({ close }) => close()));
  const added = times.ours - times.floor;
  return row(name, times, [["<= 2 us more than without", added <= 2]], { added_us: rounded(added) });
}

const INPUT = { file_path: "a.txt", content: "x" };
const runtimeHook = { type: "runtime", name: "allow", action: async () => ({ decision: "allow" }) };

export async function untraced(dir) {
  const engine = await startOurs({ dir, runtimeHook });
  return () => engine.beforeTool("write_file", INPUT);
}

/** A provider is registered, and samples nothing. */
export async function traced(dir) {
  // The engine's own copy of the API: this folder may have another one.
  const require = createRequire(new URL("../../packages/engine/dist/index.js", import.meta.url));
  const { trace, INVALID_SPAN_CONTEXT } = require("@opentelemetry/api");
  let spans = 0;
  const startSpan = () => {
    spans += 1;
    return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  const fire = await untraced(dir);
  await fire();
  if (spans !== 1) throw new Error("the tracer was not asked");
  return fire;
}
