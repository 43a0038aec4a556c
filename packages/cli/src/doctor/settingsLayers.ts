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
  "its switches apply only to hooks from .gemini files, and no other key of hooksConfig is read from it";

const GEMINI_FOLDERS: ReadonlySet<string> = new Set([".gemini", "gemini-cli", "GeminiCli"]);

/** Lists every settings file with its problems, then problems in other places, then the switches. */
export async function settingsLayers(loaded: LoadedSettings): Promise<readonly Finding[]> {
  const problems = [...loaded.problems, ...(await checkHooks(loaded))];
  const files = new Set(loaded.layers.map(({ file }) => file));
  const within = loaded.layers.flatMap((layer) => [
    ...layerFinding(layer),
    ...problems.filter(({ where }) => where.file === layer.file).map(asFinding),
  ]);
  // Hooks in parent folders within the work tree, and folders that cannot be listed.
  const elsewhere = problems.filter(({ where }) => !files.has(where.file)).map(asFinding);
  return [...within, ...elsewhere, ...switches(loaded.hooks)];
}

function layerFinding({ file, state, hooks }: LoadedSettings["layers"][number]): readonly Finding[] {
  if (state === "broken") return []; // its problem is reported with the place
  if (state === "absent") return [ok("absent", file)];
  const isGemini = GEMINI_FOLDERS.has(basename(dirname(file)));
  return [ok(`read, ${counted(hooks, "hook")}${isGemini ? `; ${GEMINI_LIMITS}` : ""}`, file)];
}

function asFinding({ severity, where, what, next }: Problem): Finding {
  return { severity, where, what, next };
}

/** A switched-off hook is not a problem, but worth a line. */
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
