import { didYouMean, type HookDeclaration, type Problem } from "@hookline/engine/program";
import { keyPlaceOf, placeOf } from "./placeOf.ts";
import type { Hooktest } from "./readHooktest.ts";
import { wrong } from "./shapeProblems.ts";

/** Unknown hook names: the outcome of a hook that does not exist would always be "not-run". */
export function nameProblems(
  { hooks, tests, root }: Hooktest,
  declared: readonly HookDeclaration[],
): readonly Problem[] {
  const known = [...new Set(declared.map(({ name }) => name))];
  const chosen = hooks ?? known;
  const unknown = (hooks ?? []).flatMap((name, index) =>
    known.includes(name) ? [] : [wrong(placeOf(root, ["hooks", index]), noHook(name, known))],
  );
  const asked = tests.flatMap(({ expect }, index) =>
    Object.keys(expect.hooks ?? {}).flatMap((name) => {
      if (chosen.includes(name)) return [];
      const isLeftOut = known.includes(name);
      const what = isLeftOut ? `"${name}" is not in the \`hooks\` list of this file.` : noHook(name, known);
      return [wrong(keyPlaceOf(root, ["tests", index, "expect", "hooks", name]), what)];
    }),
  );
  return [...unknown, ...asked];
}

function noHook(name: string, known: readonly string[]): string {
  return `The project has no hook "${name}".${didYouMean(name, known)}`;
}
