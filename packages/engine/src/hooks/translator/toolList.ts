import type { LLMRequest } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { FunctionDeclaration, GenerateContentParameters, ToolListUnion, ToolUnion } from "../sdkTypes.ts";
import { sameJson } from "./sameJson.ts";

/** Some programs keep a request's tools next to its config instead of in it. */
export type RequestWithTools = GenerateContentParameters & { readonly tools?: ToolListUnion };

export function toolsOf({ config, tools }: RequestWithTools): ToolListUnion | undefined {
  return config?.tools ?? tools;
}

/** All declared functions; a callable tool lists its functions only to the SDK. */
export function toHookTools(tools: ToolListUnion | undefined): NonNullable<LLMRequest["tools"]> {
  return (Array.isArray(tools) ? tools : []).flatMap((tool) =>
    declarationsOf(tool).flatMap(({ name, description }) => {
      if (typeof name !== "string") return [];
      return [typeof description === "string" ? { name, description } : { name }];
    }),
  );
}

/**
 * Removes functions that are no longer listed, and applies changed descriptions. A hook cannot add a function,
 * since it has neither a schema nor an implementation for it. Without a change, the same list.
 */
export function mergeTools(tools: ToolListUnion | undefined, answered: unknown): ToolListUnion | undefined {
  if (!Array.isArray(tools) || !Array.isArray(answered) || sameJson(toHookTools(tools), answered)) return tools;
  const listed = new Map<unknown, unknown>(
    answered.filter(isRecord).map(({ name, description }) => [name, description]),
  );
  const merged = tools.flatMap((tool) => mergeTool(tool, listed));
  return merged.length === tools.length && merged.every((tool, index) => tool === tools[index]) ? tools : merged;
}

interface ToolsReading {
  /** Undefined if none were shown. */
  readonly tools: LLMRequest["tools"];
  /** Names that were not shown. */
  readonly unknown: readonly string[];
}

/** The tools of an answer as a change of the shown ones; accepts names alone and the SDK's own shape. */
export function readTools(shown: unknown, answered: readonly unknown[]): ToolsReading {
  const listed = new Map(answered.flatMap(listTool));
  const before: NonNullable<LLMRequest["tools"]> = Array.isArray(shown) ? shown : [];
  const known = new Set(before.map(({ name }) => name));
  const tools = before.flatMap((tool) => {
    if (!listed.has(tool.name)) return [];
    const description = listed.get(tool.name);
    return typeof description === "string" ? [{ ...tool, description }] : [tool];
  });
  return {
    tools: before.length > 0 ? tools : undefined,
    unknown: [...listed.keys()].filter((name) => !known.has(name)),
  };
}

function listTool(tool: unknown): [string, unknown][] {
  if (typeof tool === "string") return [[tool, undefined]];
  if (!isRecord(tool)) return [];
  if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations.flatMap(listTool);
  return typeof tool.name === "string" ? [[tool.name, tool.description]] : [];
}

function mergeTool(tool: ToolUnion, listed: ReadonlyMap<unknown, unknown>): ToolUnion[] {
  if (!isRecord(tool) || !("functionDeclarations" in tool)) return [tool];
  const before = declarationsOf(tool);
  const after = before.flatMap((declaration) => {
    if (typeof declaration.name !== "string") return [declaration];
    if (!listed.has(declaration.name)) return [];
    const description = listed.get(declaration.name);
    const same = typeof description !== "string" || description === declaration.description;
    return [same ? declaration : { ...declaration, description }];
  });
  if (after.length === before.length && after.every((declaration, index) => declaration === before[index]))
    return [tool];
  const { functionDeclarations: _before, ...rest } = tool;
  if (after.length > 0) return [{ ...rest, functionDeclarations: after }];
  // The SDK refuses an empty declaration; other features of the tool, such as search, stay.
  return Object.keys(rest).length > 0 ? [rest] : [];
}

function declarationsOf(tool: ToolUnion): readonly FunctionDeclaration[] {
  if (!isRecord(tool) || !Array.isArray(tool.functionDeclarations)) return [];
  return tool.functionDeclarations.filter(isRecord);
}
