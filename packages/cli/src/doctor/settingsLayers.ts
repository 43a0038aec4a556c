import { basename, dirname } from "node:path";
import {
  formatPlace,
  type HookDeclaration,
  type LoadedSettings,
  type Place,
  type Problem,
} from "@hookline/engine/program";
import { checkHooks } from "../checks/index.ts";
import { counted } from "../terminal/table.ts";
import { type Finding, ok } from "./finding.ts";

const GEMINI_LIMITS =
  "its switches act on hooks from .gemini files only, and no other key of hooksConfig is read from it";

const GEMINI_FOLDERS: ReadonlySet<string> = new Set([".gemini", "gemini-cli", "GeminiCli"]);

/** Every file that was looked for, each with what is wrong in it; then what is wrong elsewhere, and what is switched off. */
export async function settingsLayers(loaded: LoadedSettings): Promise<readonly Finding[]> {
  const problems = [...loaded.problems, ...(await checkHooks(loaded))];
  const files = new Set(loaded.layers.map(({ file }) => file));
  const within = loaded.layers.flatMap((layer) => [
    ...layerFinding(layer),
    ...problems.filter(({ where }) => where.file === layer.file).map(asFinding),
  ]);
  // Hooks further out in the work tree, and folders that cannot be listed.
  const elsewhere = problems.filter(({ where }) => !files.has(where.file)).map(asFinding);
  return [...within, ...elsewhere, ...switches(loaded.hooks)];
}

function layerFinding({ file, state, hooks }: LoadedSettings["layers"][number]): readonly Finding[] {
  if (state === "broken") return []; // its problem says it, with the place
  if (state === "absent") return [ok("absent", file)];
  const isGemini = GEMINI_FOLDERS.has(basename(dirname(file)));
  return [ok(`read, ${counted(hooks, "hook")}${isGemini ? `; ${GEMINI_LIMITS}` : ""}`, file)];
}

function asFinding({ severity, where, what, next }: Problem): Finding {
  return { severity, where, what, next };
}

/** To switch a hook off is a decision; that it is off is said all the same. */
function switches(hooks: readonly HookDeclaration[]): readonly Finding[] {
  const offBy = new Map<string, { readonly where: Place; readonly what: string; readonly names: Set<string> }>();
  for (const { name, off } of hooks) {
    if (off?.kind !== "switch") continue;
    const { by: where, what } = off;
    const known = offBy.get(formatPlace(where)) ?? { where, what, names: new Set<string>() };
    known.names.add(name);
    offBy.set(formatPlace(where), known);
  }
  return [...offBy.values()].map(({ where, what, names }): Finding => {
    return { severity: "ok", where, what: `${what} turns off ${[...names].join(", ")}` };
  });
}
