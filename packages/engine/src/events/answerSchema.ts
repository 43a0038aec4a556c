import { z } from "zod";

const common = {
  continue: z.boolean().optional().describe("false stops the turn"),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional().describe("a note for the model"),
  decision: z.enum(["allow", "approve", "deny", "block", "ask"]).optional(),
  reason: z.string().optional(),
};

/** The answer schema of the agent vocabulary, with the `hookSpecificOutput` fields that one event honours. */
export function agentAnswer(specific: z.ZodRawShape = {}): z.ZodType {
  const keys = Object.keys(specific);
  if (keys.length === 0) return z.looseObject(common);
  const fields = Object.fromEntries(Object.entries(specific).map(([key, type]) => [key, z.optional(type)]));
  return z.looseObject({
    ...common,
    hookSpecificOutput: z.looseObject({ hookEventName: z.string().optional(), ...fields }).optional(),
  });
}
