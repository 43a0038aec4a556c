import type { Content, Part } from "../sdkTypes.ts";
import { type HookPart, partsOf, toHookPart } from "./hookPart.ts";
import { sameJson } from "./sameJson.ts";

/** The parts of a request or response that carry fields hidden from hooks. */
export interface OriginalParts {
  /** The original that looks like this part, wherever the answer moved it. Not for plain text, which hides too little. */
  find(part: HookPart): Part | undefined;
}

interface ShownPart {
  readonly shown: HookPart;
  readonly original: Part;
}

/** Built on first use: most answers leave every part in place. */
export function originalParts(contents: readonly (Content | undefined)[]): OriginalParts {
  let byType: Map<string, ShownPart[]> | undefined;
  return {
    find(part) {
      if (part.type === "text") return undefined;
      byType ??= groupByType(contents);
      return byType.get(part.type)?.find(({ shown }) => sameJson(shown, part))?.original;
    },
  };
}

function groupByType(contents: readonly (Content | undefined)[]): Map<string, ShownPart[]> {
  const parts = contents.flatMap((content) => partsOf(content));
  const media = parts.flatMap((part): readonly Part[] => part?.functionResponse?.parts ?? []);
  const groups = new Map<string, ShownPart[]>();
  for (const original of [...parts, ...media]) {
    const shown = toHookPart(original);
    const group = groups.get(shown.type);
    if (group) group.push({ shown, original });
    else groups.set(shown.type, [{ shown, original }]);
  }
  return groups;
}
