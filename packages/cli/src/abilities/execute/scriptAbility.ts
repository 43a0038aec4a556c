import { ProcessGroups, runProcess } from "@hookline/engine/process";
import { z } from "zod";
import type { AbilityAnswer } from "../abilityResult.ts";
import type { Execution } from "./execution.ts";
import { readEnding } from "./readEnding.ts";

const target = z.object({ argv: z.tuple([z.string()], z.string()) });

/** A registry for all scripts of this process, which kills running ones at exit. */
const groups = new ProcessGroups();

/** Runs a script with the input as JSON on standard input and the answer on standard output. */
export async function runScript(execution: Execution): Promise<AbilityAnswer | "aborted"> {
  const { ability, input, projectRoot, system, environment, variables, signal } = execution;
  const { killGraceMs, outputLimitBytes, passEnv } = system.getEngineOptions();
  const { env } = environment.allowing([...passEnv, ...ability.passEnv]);
  const ending = await runProcess(
    {
      argv: target.parse(ability.target?.fields).argv,
      stdin: JSON.stringify(input),
      cwd: projectRoot,
      env: { ...env, ...variables, ...ability.env },
      timeoutMs: ability.timeoutMs,
      killGraceMs,
      outputLimitBytes,
      reportLeftBehind: false,
      ...(signal ? { signal } : {}),
    },
    groups,
  );
  if (ending.kind === "aborted") return "aborted";
  return readEnding(ending, projectRoot);
}
