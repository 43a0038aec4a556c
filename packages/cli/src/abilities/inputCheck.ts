import type { HooklineError } from "@hookline/engine";
import { errorText, plainFields } from "@hookline/engine/program";
import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";
import { ProgramError } from "../errors.ts";
import { isOutOfTime, withinTime } from "../terminal/withinTime.ts";
import type { SchemaCheck } from "../tools/schemaCheck.ts";
import type { AbilityInput } from "./store/task.ts";

/** Pass larger data in a file that the input names. */
const MAX_INPUT_CHARS = 1024 * 1024;
/** Time limit: a model chooses the input, which could be slow to check with an expression or a reference in the schema. */
const CHECK_MS = 1_000;

const compiled = new WeakMap<object, SchemaCheck>();

/** Throws if an input is invalid, before any hook runs. */
export async function checkInput(
  { name, input: schema, place }: AbilityDeclaration,
  input: unknown,
): Promise<AbilityInput> {
  const wrong = (what: string) =>
    new ProgramError({
      code: "ABILITY_INPUT_INVALID",
      what: `The input of "${name}" ${what}.`,
      next: `\`hookline ability show ${name}\` prints its input schema.`,
    });
  if (!isObject(input)) throw wrong("is not a JSON object");
  const plain = plainFields(input);
  if (plain.kind === "refused") throw wrong(`cannot be used: ${plain.why}`);
  if (JSON.stringify(plain.fields).length > MAX_INPUT_CHARS)
    throw wrong("has more than 1 MiB; pass the path of a file instead");
  // Loading the validator takes longer than many abilities do.
  if (Object.keys(schema).every((key) => key === "type")) return plain.fields;
  const validate = compiled.get(schema) ?? (await compile(schema, { name, place }));
  compiled.set(schema, validate);
  const fault = checked(() => validate(plain.fields), wrong);
  if (fault !== undefined) throw wrong(`is invalid: ${fault.replaceAll(/\bdata(?=[/ ])/g, "input")}`);
  return plain.fields;
}

function checked<Result>(check: () => Result, wrong: (what: string) => HooklineError): Result {
  try {
    return withinTime(CHECK_MS, check);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw wrong(`could not be checked within ${CHECK_MS / 1_000} s: a part of its schema is too slow for it`);
  }
}

async function compile(
  schema: AbilityDeclaration["input"],
  { name, place }: Pick<AbilityDeclaration, "name" | "place">,
): Promise<SchemaCheck> {
  const { schemaCheck } = await import("../tools/schemaCheck.ts");
  try {
    return schemaCheck(JSON.parse(JSON.stringify(schema)));
  } catch (cause) {
    const why = errorText(cause);
    const what = `The input schema of "${name}" cannot be used: ${why}.`;
    throw new ProgramError({ code: "ABILITY_INVALID", where: place, what, cause });
  }
}

function isObject(value: unknown): value is AbilityInput {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
