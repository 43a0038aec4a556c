// Stops an agent that makes the same call over and over. A worker remembers; a process per event could not.
import { serve } from "@hookline/engine/worker";

const MOST_REPEATS = 3;
const lastCalls = new Map(); // session → { call, times }

serve({
  BeforeTool({ session_id, tool_name, tool_input }) {
    const call = JSON.stringify([tool_name, tool_input]);
    const last = lastCalls.get(session_id);
    const times = last?.call === call ? last.times + 1 : 1;
    lastCalls.set(session_id, { call, times });
    if (times <= MOST_REPEATS) return undefined;
    console.log(`session ${session_id} repeats ${tool_name}`); // goes to standard error
    return { decision: "deny", reason: `The same ${tool_name} call ${times} times in a row. Try something else.` };
  },
});
