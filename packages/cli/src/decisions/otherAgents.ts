import { basename } from "node:path";
import { DIALECTS } from "@hookline/engine/program";
import type { ProcessFacts } from "../terminal/processes.ts";

/** Whether a process is an agent that hookline can guard: its program, or a script of its package that an interpreter runs. */
export function isOtherAgent({ argv }: ProcessFacts): boolean {
  const [program = "", script = ""] = argv;
  return Object.values(DIALECTS).some(
    ({ agent }) =>
      basename(program) === agent.program ||
      basename(script) === agent.program ||
      script.includes(`/${agent.packageName}/`),
  );
}
