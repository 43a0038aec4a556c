import { namesOf, type ToolNames } from "../../events/toolNames.ts";
import { type Answer, isRecord } from "../answer/answer.ts";
import type { Merge } from "./merged.ts";
import { strictest } from "./strictest.ts";

interface Selection {
  readonly mode: string | undefined;
  readonly names: readonly string[] | undefined;
  readonly trust: number;
}

/** NONE wins, then ANY, then AUTO; names are united within a trust layer and intersected across layers; an absent list adds no restriction. */
export const toolSelection: Merge = (answers, context) => {
  const merged = strictest(answers, context);
  const { toolConfig: _replaced, ...specific } = merged.specific;
  const selections = answers.flatMap((answer, index) => readSelection(answer, context.trustOf(index), context.tools));
  if (merged.blocks) return { ...merged, specific: { ...specific, toolConfig: { mode: "NONE" } } };
  if (selections.length === 0) return { ...merged, specific };
  return { ...merged, specific: { ...specific, toolConfig: select(selections) } };
};

function select(selections: readonly Selection[]): Record<string, unknown> {
  const modes = selections.map(({ mode }) => mode);
  const names = allowedNames(selections);
  const mode = modes.includes("NONE")
    ? "NONE"
    : modes.includes("ANY")
      ? "ANY"
      : modes.includes("AUTO")
        ? "AUTO"
        : undefined;
  if (mode === "NONE" || (mode === "ANY" && names?.length === 0)) return { mode: "NONE" };
  return { ...(mode ? { mode } : {}), ...(names ? { allowedFunctionNames: names } : {}) };
}

function allowedNames(selections: readonly Selection[]): string[] | undefined {
  const layers = new Map<number, Set<string>>();
  for (const { names, trust } of selections) {
    if (names) layers.set(trust, new Set([...(layers.get(trust) ?? []), ...names]));
  }
  const [first, ...others] = layers.values();
  if (!first) return undefined;
  return [...first].filter((name) => others.every((layer) => layer.has(name))).sort();
}

function readSelection({ specific }: Answer, trust: number, tools: ToolNames): Selection[] {
  const { toolConfig } = specific;
  if (!isRecord(toolConfig)) return [];
  const { mode, allowedFunctionNames } = toolConfig;
  const names = Array.isArray(allowedFunctionNames)
    ? allowedFunctionNames.filter((name) => typeof name === "string").map((name) => namesOf(tools, name)[0] ?? name)
    : undefined;
  const known = typeof mode === "string" ? mode.toUpperCase() : undefined;
  return known === undefined && names === undefined ? [] : [{ mode: known, names, trust }];
}
