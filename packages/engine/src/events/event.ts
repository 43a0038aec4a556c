import type { z } from "zod";
import { abilityAnswer } from "./abilitySchemas.ts";
import { agentAnswer } from "./answerSchema.ts";
import type { EventSpec, OutputName } from "./eventSpec.ts";

type Defaulted =
  | "subject"
  | "facing"
  | "rare"
  | "may"
  | "honours"
  | "rewrites"
  | "pathsIn"
  | "withheld"
  | "contextChain"
  | "conditions"
  | "signals"
  | "answer"
  | "output"
  | "complete";

type Row<Input, Output> = Omit<EventSpec, Defaulted | "input"> &
  Partial<Omit<Pick<EventSpec, Defaulted>, "output">> & { readonly input: Input; readonly output?: Output };

/** Fills the columns most rows leave alone, and keeps the row's own input and output types. */
export function event<Input extends z.ZodObject, const Output extends OutputName = "default">(
  row: Row<Input, Output>,
): EventSpec & { readonly input: Input; readonly output: Output } {
  const defaults = {
    facing: "ai",
    rare: false,
    subject: null,
    answer: row.vocabulary === "ability" ? abilityAnswer : agentAnswer(),
    may: {},
    honours: [],
    rewrites: [],
    pathsIn: null,
    withheld: [],
    contextChain: null,
    conditions: {},
    signals: {},
    complete: null,
    output: "default",
  } as const;
  return { ...defaults, ...row } as EventSpec & { readonly input: Input; readonly output: Output };
}
