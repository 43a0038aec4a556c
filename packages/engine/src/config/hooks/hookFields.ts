import { z } from "zod";
import { type Entry, plain, shown } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { invalid, type Report } from "../values/problem.ts";

/** A field that every kind of hook has: its values, and the defaults for an absent or unreadable value. */
export interface HookField<Value> {
  /** Undefined if the value cannot be read. */
  readonly read: (value: unknown) => Value | undefined;
  readonly absent: Value;
  /** The stricter reading: a typo must not disable a guard. */
  readonly unreadable: Value;
  readonly write: string;
}

/** A field with the schema shown to editors. Only they need it: building schemas takes longer than reading a settings file. */
interface DescribedField<Value> extends HookField<Value> {
  readonly schema: () => z.ZodType<Value>;
}

const MOST_RETRIES = 3;

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
    "skip: left out of replays, because it has side effects",
  ),
  blocking: flag(
    { absent: true, unreadable: true },
    "false: never delays the answer, and its own answer is not applied",
  ),
  hold: flag({ absent: false, unreadable: true }, "AfterModel: the stream is held until this hook has answered"),
  retries: {
    read: (value) => (isWhole(value) && value >= 0 && value <= MOST_RETRIES ? value : undefined),
    schema: () =>
      z
        .int()
        .min(0)
        .max(MOST_RETRIES)
        .describe(
          "further attempts after a failure that is neither a timeout nor an answer, all within timeout; default 0",
        ),
    absent: 0,
    unreadable: 0,
    write: "a whole number from 0 to 3",
  } satisfies DescribedField<number>,
  sequential: flag(
    { absent: false, unreadable: false },
    "run the plan in order, each hook seeing what the one before changed",
  ),
} as const;

/** Fields that could disarm a guard if misread. A key that misspells one of them counts as that field with an unreadable value. */
export const SAFETY_FIELDS: readonly string[] = ["onError", "mode", "blocking", "hold"];

/** Reads one field; an unreadable value is reported and replaced by the stricter reading. */
export function readField<Value>(field: HookField<Value>, entry: Entry | undefined, report: Report): Value {
  if (entry === undefined) return field.absent;
  const read = field.read(plain(entry.value));
  if (read !== undefined) return read;
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
): DescribedField<Values[number]> {
  return {
    read: (given) => values.find((value) => value === given),
    schema: () => z.enum(values).describe(describes),
    ...fallback,
    write: values.map((value) => `"${value}"`).join(" or "),
  };
}

function flag(fallback: { absent: boolean; unreadable: boolean }, describes: string): DescribedField<boolean> {
  return {
    read: (value) => (typeof value === "boolean" ? value : undefined),
    schema: () => z.boolean().describe(describes),
    ...fallback,
    write: "true or false, without quotes",
  };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
