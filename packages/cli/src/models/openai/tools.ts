import type { FunctionDeclaration, GenerateContentConfig } from "@google/genai";
import { toJsonSchema } from "./jsonSchema.ts";

const NO_PARAMETERS = { type: "object", properties: {} };

/**
 * The functions that may be called, and whether one must be. What may not be called is not sent at all: not every server
 * heeds `tool_choice`, and none has a list of names.
 */
export function toTools({ tools = [], toolConfig }: GenerateContentConfig): Readonly<Record<string, unknown>> {
  const { mode, allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE") return {};
  const functions = tools
    .flatMap((tool) => ("functionDeclarations" in tool ? (tool.functionDeclarations ?? []) : []))
    .filter(({ name = "" }) => !allowedFunctionNames?.length || allowedFunctionNames.includes(name));
  if (functions.length === 0) return {};
  const [only] = functions;
  const one = functions.length === 1 && only ? { type: "function", function: { name: only.name } } : "required";
  return { tools: functions.map(toTool), tool_choice: mode === "ANY" ? one : "auto" };
}

function toTool({ name, description, parameters, parametersJsonSchema }: FunctionDeclaration) {
  const schema = parametersJsonSchema ?? (parameters && toJsonSchema(parameters)) ?? NO_PARAMETERS;
  return { type: "function", function: { name, ...(description && { description }), parameters: schema } };
}
