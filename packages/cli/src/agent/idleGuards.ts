import { EVENTS, type EventCatalog } from "@hookline/engine";
import { hitsAny } from "@hookline/engine/program";
import { TOOL_NAMES } from "../tools/index.ts";
import type { OpenAgent } from "./openAgent.ts";

const catalog: EventCatalog = EVENTS;

/** Guards that block on failure, and that no tool of this session will start: their matchers may be misspelt. */
export async function idleGuards({ setup, system }: Pick<OpenAgent, "setup" | "system">): Promise<readonly string[]> {
  const names = [...TOOL_NAMES, ...setup.tools.map(({ name }) => name)];
  const guards = system
    .getRegistry()
    .getAllHooks()
    .filter(({ enabled, config }) => enabled && isToolGuard(config));
  const idle = await Promise.all(
    guards.map(async ({ config: { name, matcher = "" } }) =>
      (await hitsAny(matcher, names))
        ? []
        : `"${name}" guards no tool of this session: nothing matches ${JSON.stringify(matcher)}`,
    ),
  );
  return idle.flat();
}

type Hook = ReturnType<ReturnType<OpenAgent["system"]["getRegistry"]>["getAllHooks"]>[number]["config"];

function isToolGuard({ eventName, onError, mode, matcher = "" }: Hook): boolean {
  const isForSome = !["", "*"].includes(matcher.trim()) && !matcher.includes("mcp");
  return catalog[eventName]?.subject?.kind === "tool" && onError === "block" && mode === "enforce" && isForSome;
}
