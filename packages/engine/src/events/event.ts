import type { z } from "zod";
import { abilityAnswer } from "./abilitySchemas.ts";
import { agentAnswer } from "./answerSchema.ts";
import type { EventSpec, OutputName, PositionalSpec } from "./eventSpec.ts";

type Defaulted =
  | "subject"
  | "facing"
  | "rare"
  | "may"
  | "substitutes"
  | "honours"
  | "keepsData"
  | "rewrites"
  | "forms"
  | "standsIn"
  | "pathsIn"
  | "withheld"
  | "contextChain"
  | "conditions"
  | "signals"
  | "output"
  | "complete";

/** A schema, or a function that builds it. */
type Schema<Type> = Type | (() => Type);

type Row<Input, Output, Positional, Substitutes> = Omit<EventSpec, Defaulted | "input" | "answer" | "positional"> &
  Partial<Omit<Pick<EventSpec, Defaulted>, "output" | "substitutes">> & {
    readonly input: Schema<Input>;
    readonly answer?: Schema<z.ZodType>;
    readonly output?: Output;
    readonly positional?: Positional;
    readonly substitutes?: Substitutes;
  };

type TypedSpec<Input, Output, Positional, Substitutes> = Omit<
  EventSpec,
  "input" | "output" | "positional" | "substitutes"
> & {
  readonly input: Input;
  readonly output: Output;
  readonly positional: Positional;
  readonly substitutes: Substitutes;
};

/**
 * Fills in default columns, and keeps the row's own types of input, output, arguments and substitutes. Schemas given as functions are built on
 * first use: a start of the program needs only a few.
 */
export function event<
  Input extends z.ZodObject,
  const Output extends OutputName = "default",
  const Positional extends readonly PositionalSpec[] = readonly [],
  const Substitutes extends Readonly<Record<string, string>> = Readonly<Record<never, string>>,
>(row: Row<Input, Output, Positional, Substitutes>): TypedSpec<Input, Output, Positional, Substitutes> {
  const defaults = {
    facing: "ai",
    rare: false,
    subject: null,
    positional: [],
    substitutes: {},
    may: {},
    honours: [],
    keepsData: false,
    rewrites: [],
    forms: {},
    standsIn: null,
    pathsIn: null,
    withheld: [],
    contextChain: null,
    conditions: {},
    signals: {},
    complete: null,
    output: "default",
  } as const;
  const { input, answer = () => (row.vocabulary === "ability" ? abilityAnswer : agentAnswer()), ...columns } = row;
  return withSchemas({ ...defaults, ...columns }, { input, answer }) as TypedSpec<
    Input,
    Output,
    Positional,
    Substitutes
  >;
}

/** Defines each schema as a property that computes its value once. */
function withSchemas(spec: object, schemas: Readonly<Record<string, Schema<z.ZodType>>>): object {
  for (const [name, schema] of Object.entries(schemas)) {
    const get = () => {
      const value = typeof schema === "function" ? schema() : schema;
      Object.defineProperty(spec, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(spec, name, { get, enumerable: true, configurable: true });
  }
  return spec;
}
