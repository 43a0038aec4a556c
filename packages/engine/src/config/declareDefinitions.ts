import type { EventCatalog } from "../events/eventSpec.ts";
import { declareHook } from "./declareHook.ts";
import { DEFAULT_OPTIONS, type Extension, type KindSpec, type LoadedSettings } from "./hookDeclaration.ts";
import { readJsonSettings } from "./jsonSettings.ts";
import { parseJson } from "./parseJson.ts";

const FILE = "config.getHooks()";

export interface DefinitionOptions {
  readonly workingDir: string;
  readonly extensions: readonly Extension[];
  readonly catalog: EventCatalog;
  readonly kinds: readonly KindSpec[];
}

export async function declareDefinitions(
  hooks: unknown,
  { workingDir, catalog, kinds }: DefinitionOptions,
): Promise<LoadedSettings> {
  const parsed = parseJson(FILE, JSON.stringify({ hooks }, null, 2));
  if (parsed.kind === "broken") throw new Error(parsed.problem.what);
  const raw = readJsonSettings(parsed.root, catalog);
  const declared = raw.hooks.flatMap((hook) => {
    const event = catalog[hook.eventName];
    const lookup = { dirs: [workingDir], path: process.env.PATH ?? "" };
    return event ? [declareHook(hook, { source: "project", family: "hookline", event, kinds, lookup })] : [];
  });
  return {
    projectRoot: workingDir,
    hooks: declared.map(({ hook }) => hook),
    options: DEFAULT_OPTIONS,
    optionsWithoutProject: DEFAULT_OPTIONS,
    problems: [...raw.problems, ...declared.flatMap(({ problems }) => problems)],
    layers: [],
    watch: [],
  };
}
