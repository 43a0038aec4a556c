import { EVENTS, type EventCatalog } from "@hookline/engine";
import { type HookDeclaration, KNOWN_TOOLS, type Problem, type ToolNames } from "@hookline/engine/program";

const catalog: EventCatalog = EVENTS;

/** Reports a word of a plain matcher that occurs inside the names of other tools: matchers are not anchored. */
export function matcherHits(hook: HookDeclaration, tools: ToolNames = KNOWN_TOOLS): readonly Problem[] {
  const { matcher = "", eventName, place: where } = hook;
  if (catalog[eventName]?.subject?.kind !== "tool" || !/^[\w|]+$/.test(matcher)) return [];
  return [...new Set(matcher.split("|"))].flatMap((word) => {
    const others = word === "" ? [] : tools.filter((names) => hits(word, names) && !names.includes(word));
    if (others.length === 0) return [];
    const canonical = others.map(([name]) => name);
    const what = `The matcher word "${word}" occurs inside the names of ${canonical.join(", ")}, so the hook runs for ${others.length === 1 ? "it" : "them"} too.`;
    const next = `Write "${canonical.join("|")}" if that is meant, or "^${word}$" for a tool of exactly that name.`;
    return [{ severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next }];
  });
}

function hits(word: string, names: readonly string[]): boolean {
  return names.some((name) => name.includes(word));
}
