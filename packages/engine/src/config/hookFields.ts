import { z } from "zod";
import { durationSchema } from "./duration.ts";
import { type Entry, plain, shown } from "./located.ts";
import { didYouMean } from "./nearest.ts";
import { invalid, type Report } from "./problem.ts";

/** A field every kind of hook has: its values, and what counts when it is absent or cannot be read. */
export interface HookField<Value> {
  readonly schema: z.ZodType<Value>;
  readonly absent: Value;
  /** The stricter reading: a guard must not go off for a typo. */
  readonly unreadable: Value;
  readonly write: string;
}

const nonEmpty = z.string().min(1);

export const HOOK_FIELDS = {
  onError: choice(["allow", "block"], { absent: "allow", unreadable: "block" }, "what a failure of this hook means"),
  mode: choice(
    ["enforce", "observe"],
    { absent: "enforce", unreadable: "enforce" },
    "observe: runs and is journalled, but changes nothing",
  ),
  replay: choice(
    ["run", "skip"],
    { absent: "run", unreadable: "skip" },
    "skip: left out of replays (it has side effects)",
  ),
  blocking: flag(
    { absent: true, unreadable: true },
    "false: never delays the answer, and its own answer is not applied",
  ),
  hold: flag({ absent: false, unreadable: true }, "AfterModel: the stream is held until this hook has answered"),
  retries: {
    schema: z
      .int()
      .min(0)
      .max(3)
      .describe(
        "further attempts after a failure that is neither a timeout nor an answer, all within timeout; default 0",
      ),
    absent: 0,
    unreadable: 0,
    write: "a whole number from 0 to 3",
  },
  sequential: flag(
    { absent: false, unreadable: false },
    "run the plan in order, each hook seeing what the one before changed",
  ),
} as const;

/** Fields whose misreading could disarm a guard. A key that misspells one of them counts as that field, unreadable. */
export const SAFETY_FIELDS: readonly string[] = ["onError", "mode", "blocking", "hold"];

export const nameSchema = nonEmpty.describe("how lists, switches and reports call this hook");
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

/** Reads one field; a value that cannot be read is reported, and the stricter reading is taken. */
export function readField<Value>(field: HookField<Value>, entry: Entry | undefined, report: Report): Value {
  if (entry === undefined) return field.absent;
  const parsed = field.schema.safeParse(plain(entry.value));
  if (parsed.success) return parsed.data;
  const { value } = entry.value.kind === "scalar" ? entry.value : { value: undefined };
  const guess = typeof value === "string" ? didYouMean(value, field.write.match(/[a-z]+/g) ?? []) : "";
  const what = `"${entry.key}" cannot be ${shown(entry.value)}; until it is corrected it counts as ${String(field.unreadable)}.`;
  report(invalid(entry.value.place, `${what}${guess}`, `Write ${field.write}.`));
  return field.unreadable;
}

function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  fallback: { readonly absent: Values[number]; readonly unreadable: Values[number] },
  describes: string,
): HookField<Values[number]> {
  const write = values.map((value) => `"${value}"`).join(" or ");
  return { schema: z.enum(values).describe(describes), ...fallback, write };
}

function flag(fallback: { absent: boolean; unreadable: boolean }, describes: string): HookField<boolean> {
  return { schema: z.boolean().describe(describes), ...fallback, write: "true or false, without quotes" };
}
