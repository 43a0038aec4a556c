import { z } from "zod";
import { EVENT_NAMES } from "../project/eventNamed.ts";
import { pathFault, variableFault } from "./limits.ts";
import { readPattern } from "./textPattern.ts";

/** What became of one hook. */
export const HOOK_OUTCOMES = ["allow", "ask", "block", "stop", "failed", "skipped", "not-run"] as const;
export const DECISIONS = ["allow", "ask", "block", "stop"] as const;

const pattern = z.string().min(1).superRefine(reportFault(patternFault));
const hookOutcome = z.enum(HOOK_OUTCOMES);
const fields = z.record(z.string(), z.unknown());

const expected = z
  .strictObject({
    decision: z
      .enum(DECISIONS)
      .optional()
      .describe("what all hooks together decide; a block and a stop may stand side by side"),
    reason: pattern.optional().describe("the reason of the decision contains this text; /…/ is a regular expression"),
    rewrite: fields
      .optional()
      .describe("fields of the input as they are after all rewrites, nested or dotted; only those named are compared"),
    context: pattern
      .nullable()
      .optional()
      .describe("the added contexts, joined, contain this text; /…/ is a regular expression; null: there are none"),
    message: pattern
      .nullable()
      .optional()
      .describe("the system messages, joined, contain this text; /…/ is a regular expression; null: there are none"),
    signals: z
      .array(fields)
      .optional()
      .describe("each of these is contained in one of the signals that came; []: none came"),
    files: z
      .record(z.string(), z.string().nullable())
      .superRefine(reportKeys(pathFault))
      .optional()
      .describe("files of the project afterwards, by path: a text they contain; null: there is no such file"),
    hooks: z
      .record(
        z.string(),
        z.union([
          hookOutcome,
          z.strictObject({
            outcome: hookOutcome.describe("how it ended"),
            reason: pattern
              .optional()
              .describe("what it said, or how it failed, contains this text; /…/ is a regular expression"),
          }),
        ]),
      )
      .optional()
      .describe("what became of single hooks, by name"),
  })
  .refine((value) => Object.keys(value).length > 0, { error: "is empty; say at least one thing that must hold" });

const testCase = z.strictObject({
  name: z.string().min(1).describe("what it shows, in words"),
  event: z.enum(EVENT_NAMES).describe("the event that is fired"),
  input: fields
    .optional()
    .describe("fields of the event, each as it is; a dotted key sets one field in the event's sample"),
  files: z
    .record(z.string(), z.string())
    .superRefine(reportKeys(pathFault))
    .optional()
    .describe("files that are written before, by path from the project root"),
  env: z
    .record(z.string(), z.string())
    .superRefine(reportKeys(variableFault))
    .optional()
    .describe("variables that hooks have in this case"),
  expect: expected.describe("what must come of it"),
});

/** The shape of a `*.hooktest.yaml` file: the reader and the editors go by it. */
export const hooktestSchema = z.strictObject({
  hooks: z.array(z.string()).min(1).optional().describe("only these hooks of the project run; default: all of them"),
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
    return `is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}
