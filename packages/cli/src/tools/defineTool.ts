import type { ToolConfirmation, ToolResult } from "@hookline/engine";
import { z } from "zod";
import type { Tool, ToolArguments, ToolContext, ToolKind } from "./tool.ts";
import { ToolFault } from "./toolFault.ts";

/** Parameters by tool name. The build generates them from the schemas. */
declare const TOOL_PARAMETERS: Readonly<Record<string, Tool["parameters"]>>;
const packed = typeof TOOL_PARAMETERS === "undefined" ? {} : TOOL_PARAMETERS;

interface ToolSpec<Schema extends z.ZodObject> {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  /** Called at most once, at the check of the first call. */
  readonly schema: () => Schema;
  readonly isAbility?: boolean;
  /** Names of arguments in other agents, mapped to ours. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Throws if the arguments have the right form but make no sense. */
  check(input: z.output<Schema>, context: ToolContext): void | Promise<void>;
  describe(input: z.output<Schema>, context: ToolContext): ToolConfirmation | Promise<ToolConfirmation>;
  reads?(input: z.output<Schema>, context: ToolContext): readonly string[];
  writes?(input: z.output<Schema>, context: ToolContext): readonly string[];
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
}

/** A tool whose arguments are parsed before its code sees them; unknown keys are ignored. */
export function defineTool<Schema extends z.ZodObject>(spec: ToolSpec<Schema>): Tool {
  const { name, kind, description, isAbility = true, otherNames = {} } = spec;
  let built: Schema | undefined;
  const schema = () => {
    built ??= spec.schema();
    return built;
  };
  const parse = (input: ToolArguments): z.output<Schema> => {
    const faults = Object.entries(otherNames).flatMap(([other, known]) =>
      Object.hasOwn(input, other) ? [`\`${other}\` is called \`${known}\` here.`] : [],
    );
    const { data, error } = schema().safeParse(input);
    if (error) faults.push(...error.issues.map(inWords));
    if (data === undefined || faults.length > 0) throw new ToolFault(faults.join("\n"));
    return data;
  };
  const filesOf = (which: "reads" | "writes", input: ToolArguments, context: ToolContext): readonly string[] => {
    try {
      return spec[which]?.(parse(input), context) ?? [];
    } catch (error) {
      if (error instanceof ToolFault) return []; // the tool will refuse the call
      throw error;
    }
  };
  let parameters: Tool["parameters"] | undefined;
  return {
    name,
    kind,
    description,
    get parameters() {
      parameters ??= packed[name] ?? parametersOf(schema()); // lazy: most starts of the program do not need it
      return parameters;
    },
    normalise: (input) => renamed(input, otherNames),
    validate: (input, context) => faultOf(async () => spec.check(parse(input), context)),
    describe: async (input, context) => spec.describe(parse(input), context),
    isAbility,
    reads: (input, context) => filesOf("reads", input, context),
    writes: (input, context) => filesOf("writes", input, context),
    execute: async (input, context) => {
      context.signal?.throwIfAborted();
      return spec.run(parse(input), context);
    },
  };
}

function parametersOf(schema: z.ZodObject): Tool["parameters"] {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return parameters;
}

/** If both our name and another one of an argument are given, keeps both, so that the check refuses the call. */
function renamed(input: ToolArguments, otherNames: Readonly<Record<string, string>>): ToolArguments {
  const entries = Object.entries(input).map(([key, value]): [string, unknown] => {
    const known = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
    return [known === undefined || Object.hasOwn(input, known) ? key : known, value];
  });
  return Object.fromEntries(entries);
}

async function faultOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof ToolFault) return error.message;
    throw error;
  }
}

function inWords({ path, message }: z.core.$ZodIssue): string {
  const field = path.map(String).join(".");
  return message.endsWith("received undefined")
    ? `\`${field}\` is missing: ${message.replace(/^Invalid input: /, "").replace(/, received.*$/, "")}.`
    : `\`${field}\`: ${message}.`;
}
