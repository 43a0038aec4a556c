import { formatPlace } from "../../errors.ts";
import { quoted } from "../values/located.ts";
import { doubt, type Problem } from "../values/problem.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";

/** Reports names used more than once, in any layer: one report per name, at its second use. */
export function sharedNames(hooks: readonly HookDeclaration[]): readonly Problem[] {
  const bearers = new Map<string, HookDeclaration[]>();
  for (const hook of hooks) {
    const known = bearers.get(hook.name);
    if (known) known.push(hook);
    else bearers.set(hook.name, [hook]);
  }
  return [...bearers].flatMap(([name, [first, second, ...more]]) => {
    if (first === undefined || second === undefined || name === "(unnamed)") return [];
    const others = more.length === 0 ? "" : ` ${more.length} more have this name.`;
    const what = `${quoted(name)} is also the name of the hook at ${formatPlace(first.place)} (${first.source}).${others}`;
    return [
      doubt({
        where: second.place,
        what,
        next: "Give each hook a unique name; a switch acts on all hooks with the name.",
      }),
    ];
  });
}
