import { errorText } from "@hookline/engine/program";
import { type AbilityAnswer, type Executed, failed } from "../abilityResult.ts";
import type { Execution } from "./execution.ts";
import { callEndpoint } from "./httpAbility.ts";
import { callServerTool } from "./mcpAbility.ts";
import { runScript } from "./scriptAbility.ts";

/** Returns a result in every case, unless the caller aborted. */
export async function executeAbility(execution: Execution): Promise<Executed> {
  const startedAt = performance.now();
  const answer = await attempt(execution);
  const durationMs = Math.round(performance.now() - startedAt);
  return answer === "aborted" ? { status: "interrupted", durationMs } : { ...answer, durationMs };
}

async function attempt(execution: Execution): Promise<AbilityAnswer | "aborted"> {
  try {
    return await start(execution);
  } catch (error) {
    if (execution.signal?.aborted) return "aborted";
    return failed(errorText(error));
  }
}

function start(execution: Execution): Promise<AbilityAnswer | "aborted"> {
  switch (execution.ability.type) {
    case "script":
      return runScript(execution);
    case "mcp":
      return callServerTool(execution);
    case "http":
      return callEndpoint(execution);
  }
}
