import { z } from "zod";
import { resolveCommand } from "./commandLookup.ts";
import type { KindSpec } from "./hookDeclaration.ts";

const commandFields = z.object({
  command: z
    .string({ error: "it must be text" })
    .regex(/\S/, { error: "it must not be empty" })
    .regex(/^[^\0]*$/, { error: "it must not hold a NUL character" })
    .describe("the program to start, with its arguments, or shell text"),
});

/** A process per event. */
export const commandKindSpec: KindSpec = {
  type: "command",
  yamlKind: "script",
  fields: commandFields,
  resolve: (fields, lookup) => {
    const { text, files, uncovered } = resolveCommand(commandFields.parse(fields).command, lookup);
    return { fields: { command: text }, identity: text, files, uncovered };
  },
};
