import { EVENTS, type EventCatalog } from "@hookline/engine";
import { didYouMean, type HookDeclaration, hitsAny, nearest, type Problem, plainWords } from "@hookline/engine/program";
import { TASK_TOOL_NAMES } from "../abilities/tools/taskToolNames.ts";
import { TOOL_NAMES } from "../tools/index.ts";

const catalog: EventCatalog = EVENTS;
const NAMES = [...TOOL_NAMES, ...TASK_TOOL_NAMES];

/** A matcher, or one of its words, that fits no tool: a guard behind a misspelt name never runs. Programs that embed the engine may have others. */
export async function unknownTools(hook: HookDeclaration, hasServers: boolean): Promise<readonly Problem[]> {
  const { matcher = "", eventName, place: where } = hook;
  const isEverything = matcher.trim() === "" || matcher.trim() === "*";
  if (catalog[eventName]?.subject?.kind !== "tool" || isEverything) return [];
  const words = plainWords(matcher);
  const unknown = words ? words.filter((word) => !fits(word, hasServers)) : (await hits(matcher)) ? [] : [matcher];
  return [...new Set(unknown)].map((word) => {
    const what = `The matcher ${JSON.stringify(word)} fits no known tool, so the hook may never run.${didYouMean(word, NAMES)}`;
    const next =
      "Correct it; docs/agent-setup.md lists the tools, and those of MCP servers are called mcp_<server>_<tool>.";
    return { severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next };
  });
}

/** Which tools a server offers is known only once it runs, so a word that is near no other name may be part of one of theirs. */
function fits(word: string, hasServers: boolean): boolean {
  if (word === "" || word.startsWith("mcp_") || NAMES.some((name) => name.includes(word))) return true;
  return hasServers && nearest(word, NAMES) === undefined;
}

async function hits(matcher: string): Promise<boolean> {
  return matcher.includes("mcp") || (await hitsAny(matcher, [...NAMES, "mcp_server_tool"]));
}
