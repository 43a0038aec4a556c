import { formatPlace } from "../../errors.ts";
import { quoted } from "../values/located.ts";
import { doubt, type Problem } from "../values/problem.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";

/** Names borne more than once: one report per name, at its second bearer, whatever layers they come from. */
export function sharedNames(hooks: readonly HookDeclaration[]): readonly Problem[] {
  const bearers = new Map<string, HookDeclaration[]>();
  for (const hook of hooks) {
    const known = bearers.get(hook.name);
    if (known) known.push(hook);
    else bearers.set(hook.name, [hook]);
  }
  return [...bearers].flatMap(([name, [first, second, ...more]]) => {
    if (first === undefined || second === undefined || name === "(unnamed)") return [];
    const others = more.length === 0 ? "" : ` ${more.length} more bear it too.`;
    const what = `${quoted(name)} is also the name of the hook at ${formatPlace(first.place)} (${first.source}).${others}`;
    return [doubt({ where: second.place, what, next: "Give each its own name; a switch acts on all that bear it." })];
  });
}
