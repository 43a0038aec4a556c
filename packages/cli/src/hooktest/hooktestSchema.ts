import { errorText } from "@hookline/engine/program";
import { z } from "zod";
import { EVENT_NAMES } from "../project/eventNamed.ts";
import { pathFault, variableFault } from "./limits.ts";
import { readPattern } from "./textPattern.ts";

/** The outcome of one hook. */
export const HOOK_OUTCOMES = ["allow", "ask", "block", "stop", "failed", "skipped", "not-run"] as const;
export const DECISIONS = ["allow", "ask", "block", "stop"] as const;

const pattern = z.string().min(1).superRefine(reportFault(patternFault));
const hookOutcome = z.enum(HOOK_OUTCOMES);
const fields = z.record(z.string(), z.unknown());

const expected = z
  .strictObject({
    decision: z.enum(DECISIONS).optional().describe("the decision of all hooks; a block and a stop can occur together"),
    reason: pattern.optional().describe("the reason of the decision contains this text; /…/ is a regular expression"),
    rewrite: fields
      .optional()
      .describe("fields of the input after all rewrites, nested or dotted; only the named ones are compared"),
    context: pattern
      .nullable()
      .optional()
      .describe("the joined contexts contain this text; /…/ is a regular expression; null: there are none"),
    message: pattern
      .nullable()
      .optional()
      .describe("the joined system messages contain this text; /…/ is a regular expression; null: there are none"),
    signals: z
      .array(fields)
      .optional()
      .describe("each of these is contained in one of the received signals; []: there are none"),
    files: z
      .record(z.string(), z.string().nullable())
      .superRefine(reportKeys(pathFault))
      .optional()
      .describe("files of the project after the case, by path: a text in the file; null: there is no such file"),
    hooks: z
      .record(
        z.string(),
        z.union([
          hookOutcome,
          z.strictObject({
            outcome: hookOutcome.describe("how it ended"),
            reason: pattern
              .optional()
              .describe("its reason or failure contains this text; /…/ is a regular expression"),
          }),
        ]),
      )
      .optional()
      .describe("the outcomes of single hooks, by name"),
  })
  .refine((value) => Object.keys(value).length > 0, { error: "is empty; name at least one expectation" });

const testCase = z.strictObject({
  name: z.string().min(1).describe("what the case shows, in words"),
  event: z.enum(EVENT_NAMES).describe("the event to fire"),
  input: fields.optional().describe("fields of the event; a dotted key sets one field in the event's sample"),
  files: z
    .record(z.string(), z.string())
    .superRefine(reportKeys(pathFault))
    .optional()
    .describe("files to write before the event, by path from the project root"),
  env: z
    .record(z.string(), z.string())
    .superRefine(reportKeys(variableFault))
    .optional()
    .describe("environment variables of the hooks in this case"),
  expect: expected.describe("the expected result"),
});

/** The schema of a `*.hooktest.yaml` file, for the reader and for editors. */
export const hooktestSchema = z.strictObject({
  hooks: z.array(z.string()).min(1).optional().describe("run only these hooks of the project; default: all"),
  tests: z.array(testCase).min(1).describe("the cases, run in this order in one copy of the project"),
});

export type HooktestFile = z.infer<typeof hooktestSchema>;
export type Expected = z.infer<typeof expected>;
export type HookOutcome = z.infer<typeof hookOutcome>;

type Fault = (text: string) => string | undefined;

function reportFault(fault: Fault) {
  return (value: string, context: z.RefinementCtx) => {
    const message = fault(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  };
}

function reportKeys(fault: Fault) {
  return (value: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => {
    for (const key of Object.keys(value)) {
      const message = fault(key);
      if (message !== undefined) context.addIssue({ code: "custom", message, path: [key] });
    }
  };
}

function patternFault(text: string): string | undefined {
  try {
    readPattern(text);
    return undefined;
  } catch (error) {
    return `is not a regular expression: ${errorText(error)}`;
  }
}
