import { z } from "zod";

const NOT_EMPTY = /\S/;
const WITHOUT_NUL = /^[^\0]*$/;

/** A text that names something to start. */
export function isStartedText(value: unknown): value is string {
  return typeof value === "string" && NOT_EMPTY.test(value) && WITHOUT_NUL.test(value);
}

/** The same as a schema, with error messages. */
export function startedText(): z.ZodString {
  return z
    .string({ error: "it must be text" })
    .regex(NOT_EMPTY, { error: "it must not be empty" })
    .regex(WITHOUT_NUL, { error: "it must not contain a NUL character" });
}
