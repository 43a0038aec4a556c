import type { FunctionDeclaration, GenerateContentConfig } from "@google/genai";
import { toJsonSchema } from "./jsonSchema.ts";

const NO_PARAMETERS = { type: "object", properties: {} };

/**
 * The functions that may be called, and whether the model must call one. Leaves out functions that are not allowed: not every
 * server respects `tool_choice`, and none supports a list of names.
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
