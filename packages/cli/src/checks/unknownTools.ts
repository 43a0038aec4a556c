import { EVENTS, type EventCatalog } from "@hookline/engine";
import { didYouMean, type HookDeclaration, hitsAny, nearest, type Problem, plainWords } from "@hookline/engine/program";
import { TOOL_NAMES } from "../tools/index.ts";

const catalog: EventCatalog = EVENTS;
/** The tools that create and run tasks for abilities, which exist only in a session. */
const TASK_TOOL_NAMES = ["list_abilities", "create_task", "run_task"];
const NAMES = [...TOOL_NAMES, ...TASK_TOOL_NAMES];

/** Reports a matcher word that matches no tool: a guard with a misspelt name never runs. Embedding programs may have other tools. */
export async function unknownTools(hook: HookDeclaration, hasServers: boolean): Promise<readonly Problem[]> {
  const { matcher = "", eventName, place: where } = hook;
  const isEverything = matcher.trim() === "" || matcher.trim() === "*";
  if (catalog[eventName]?.subject?.kind !== "tool" || isEverything) return [];
  const words = plainWords(matcher);
  const unknown = words ? words.filter((word) => !fits(word, hasServers)) : (await hits(matcher)) ? [] : [matcher];
  return [...new Set(unknown)].map((word) => {
    const what = `The matcher ${JSON.stringify(word)} matches no known tool, so the hook may never run.${didYouMean(word, NAMES)}`;
    const next =
      "Correct it; docs/agent-setup.md lists the tools; those of MCP servers have the names mcp_<server>_<tool>.";
    return { severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next };
  });
}

/** The tools of a server are known only while it runs, so a word that is not similar to a known name may belong to one. */
function fits(word: string, hasServers: boolean): boolean {
  if (word === "" || word.startsWith("mcp_") || NAMES.some((name) => name.includes(word))) return true;
  return hasServers && nearest(word, NAMES) === undefined;
}

async function hits(matcher: string): Promise<boolean> {
  return matcher.includes("mcp") || (await hitsAny(matcher, [...NAMES, "mcp_server_tool"]));
}
