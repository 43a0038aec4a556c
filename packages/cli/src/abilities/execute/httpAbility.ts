import { callEndpoint as call } from "@hookline/engine/program";
import { z } from "zod";
import { headOf } from "../../terminal/cutText.ts";
import { type AbilityAnswer, failed } from "../abilityResult.ts";
import type { Execution } from "./execution.ts";
import { readAnswer } from "./readAnswer.ts";

const SHOWN_BODY_CHARS = 2_000;

const target = z.looseObject({ method: z.string().default("POST") });

/** Sends the input as JSON to an endpoint and reads the answer like that of a script. */
export async function callEndpoint(execution: Execution): Promise<AbilityAnswer | "aborted"> {
  const { ability, input, system, projectRoot, environment, signal } = execution;
  const ending = await call(ability, {
    method: target.parse(ability.target?.fields).method,
    body: JSON.stringify(input),
    timeoutMs: ability.timeoutMs,
    signal,
    options: system.getEngineOptions(),
    variable: (name) => environment.all[name],
  });
  switch (ending.kind) {
    case "aborted":
      return "aborted";
    case "timedOut":
      return failed(`It took longer than ${ending.afterMs} ms and was cancelled.`, ending.stdout);
    case "notStarted":
      return failed(`It could not be called: ${ending.cause.message}`);
    case "responded":
      break;
    default:
      throw new Error(`An endpoint cannot end as "${ending.kind}"`);
  }
  const { status, body, truncated } = ending;
  if (status < 200 || status > 299) return failed(`It answered with status ${status}.${said(body)}`, body);
  if (truncated === "brokeOff") return failed("Its answer was incomplete.", body);
  return readAnswer(body, { projectRoot, isCut: truncated !== false });
}

function said(body: string): string {
  const text = headOf(body.trim(), SHOWN_BODY_CHARS);
  return text === "" ? "" : `\n${text}`;
}
