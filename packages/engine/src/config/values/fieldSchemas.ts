// Shapes of fields that other files read, for editors and for the reference.
import { z } from "zod";
import { durationSchema } from "./duration.ts";

const nonEmpty = z.string().min(1);

export const nameSchema = nonEmpty.describe("the name of this hook in lists, switches and reports");
export const descriptionSchema = z.string().describe("what this hook is for");
export const timeoutSchema = durationSchema.describe(
  'how long it may take: "250ms", "5s", "2m"; default 60s. A bare number of 1000 or more is milliseconds, else seconds; in a .gemini file always milliseconds',
);
export const envSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe("variables added to its environment");
export const passEnvSchema = z.array(nonEmpty).describe("names of withheld variables (credentials) this hook may have");
export const matcherSchema = z
  .string()
  .describe('regular expression over the subject; absent, "" or "*": every subject');
