import { HooklineError } from "../errors.ts";
import type { EventSpec, PositionalSpec } from "../events/eventSpec.ts";
import { isRecord } from "./answer/answer.ts";
import type { FireOptions } from "./eventMethods.ts";
import { defaultHookTranslator as translator } from "./hookTranslator.ts";
import type { Fields } from "./run/rewrites.ts";
import type { GenerateContentParameters, GenerateContentResponse } from "./sdkTypes.ts";

export type EventInput = Fields | (() => Fields);

interface EventCall {
  readonly input: EventInput;
  readonly options: FireOptions | undefined;
}

/**
 * Reads the arguments of a `fire*Event` call: an object with the event's fields (or a function that returns one), or the
 * values listed in the catalog row. Throws on anything else: a caller that continued would be unguarded.
 */
export function argumentReader(eventName: string, row: EventSpec): (args: readonly unknown[]) => EventCall {
  const { positional } = row;
  const [first] = positional;
  const complete = completer(Object.entries(row.substitutes));
  const isNamed = (value: unknown): value is EventInput => {
    if (typeof value === "function") return true;
    if (!isRecord(value)) return false;
    return first === undefined || first.field in value || Object.keys(row.input.shape).some((field) => field in value);
  };
  return (args) => {
    const given = args[0];
    const isOne = isNamed(given);
    const wrong = isOne ? undefined : wrongValue(positional, args);
    if (wrong !== undefined) throw misfit(eventName, row, wrong);
    const options = args[isOne ? 1 : positional.length];
    if (!isOptions(options)) throw misfit(eventName, row, `the options must be an object, got ${nameOf(options)}`);
    if (isOne) return { input: complete(given), options };
    return {
      input: () => Object.fromEntries(positional.flatMap((spec, index) => toField(spec, args[index]))),
      options,
    };
  };
}

/** Adds the fields that others stand in for. A function is called later, if a hook needs its result. */
function completer(substitutes: readonly (readonly [string, string])[]): (given: EventInput) => EventInput {
  if (substitutes.length === 0) return (given) => given;
  const completed = (fields: Fields): Fields => {
    if (!isRecord(fields)) return fields; // refused later, with the reason
    const added = substitutes.flatMap(([field, other]) => {
      const value = fields[other];
      return isAbsent(fields[field]) && typeof value === "string" ? [[field, value.toLowerCase()]] : [];
    });
    return added.length === 0 ? fields : { ...fields, ...Object.fromEntries(added) };
  };
  return (given) => (typeof given === "function" ? () => completed(given()) : completed(given));
}

interface Form {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly translate?: (value: unknown) => unknown;
}

const FORMS: Readonly<Record<PositionalSpec["form"], Form>> = {
  text: { expected: "a string", fits: (value) => typeof value === "string" },
  word: {
    expected: "a string",
    fits: (value) => typeof value === "string",
    translate: (value) => (typeof value === "string" ? value.toLowerCase() : value),
  },
  flag: { expected: "a boolean", fits: (value) => typeof value === "boolean" },
  object: { expected: "an object", fits: isRecord },
  sdkRequest: {
    expected: "a request of the SDK, with contents",
    fits: isRequest,
    translate: (value) => (isRequest(value) ? translator.toHookLLMRequest(value) : value),
  },
  sdkResponse: {
    expected: "a response of the SDK",
    fits: isResponse,
    translate: (value) => (isResponse(value) ? translator.toHookLLMResponse(value) : value),
  },
};

function isRequest(value: unknown): value is GenerateContentParameters {
  return isRecord(value) && !isAbsent(value.contents);
}

function isResponse(value: unknown): value is GenerateContentResponse {
  return isRecord(value);
}

function isOptions(value: unknown): value is FireOptions | undefined {
  return value === undefined || isRecord(value);
}

function wrongValue(positional: readonly PositionalSpec[], args: readonly unknown[]): string | undefined {
  if (positional.length === 0) return `the input must be an object, got ${nameOf(args[0])}`;
  if (args.length > positional.length + 1) return `got ${args.length} arguments`;
  const index = positional.findIndex(
    ({ form, optional }, at) => !(optional && isAbsent(args[at])) && !FORMS[form].fits(args[at]),
  );
  const spec = positional[index];
  return spec && `${spec.field} must be ${FORMS[spec.form].expected}, got ${nameOf(args[index])}`;
}

function toField({ field, form }: PositionalSpec, value: unknown): [string, unknown][] {
  if (isAbsent(value)) return [];
  const { translate } = FORMS[form];
  return [[field, translate ? translate(value) : value]];
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function nameOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

function misfit(eventName: string, { positional }: EventSpec, wrong: string): HooklineError {
  const values = positional.map(({ field }) => field).join(", ");
  const forms = positional.length === 0 ? "" : `the values (${values}), or `;
  const what = `fire${eventName}Event takes ${forms}one object with the event's fields: ${wrong}.`;
  return new HooklineError({ code: "INPUT_INVALID", what });
}
