import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { didYouMean, nearest } from "../../config/values/nearest.ts";
import type { HookEventName } from "../../events/catalog.ts";
import type { HookFunction } from "../../events/inputs.ts";
import { isRecord } from "../answer/answer.ts";
import { type Action, isAction } from "./actionCall.ts";

/** The default export of a plugin, as an object: `export default { … } satisfies PluginHooks`. */
export type PluginHooks = {
  readonly [Name in HookEventName]?: HookFunction<Name, { readonly signal: AbortSignal }>;
};

/** What a plugin does on an event. For an event without a function, it throws: a hook declared there would not guard anything. */
export type Plugin = (eventName: string) => Action;

/** Loads the file's current content, whatever was loaded before. Rejects with the file and the reason. */
export async function loadPlugin(file: string, eventNames: readonly string[]): Promise<Plugin> {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const module = await importAnew(file).catch((error: unknown) => {
    throw new Error(loadFailure(file, error), { cause: error });
  });
  return pluginOf(module, (what) => new Error(`${file}: ${what}`), eventNames);
}

const { cache: commonJsModules } = createRequire(import.meta.url);

/** Node caches ES modules by URL and CommonJS modules by file, for ever. */
async function importAnew(file: string): Promise<unknown> {
  delete commonJsModules[realpathSync(file)];
  const url = pathToFileURL(file);
  url.searchParams.set("hookline", randomUUID());
  return import(url.href);
}

function pluginOf(module: unknown, wrong: (what: string) => Error, eventNames: readonly string[]): Plugin {
  const exported = defaultOf(module);
  if (isAction(exported)) return () => exported;
  const actions = new Map<string, Action>();
  if (isRecord(exported)) {
    for (const name of eventNames) {
      const action = exported[name];
      if (isAction(action)) actions.set(name, action.bind(exported));
    }
    const misspelt = Object.keys(exported).find((key) => isMisspelt(key, exported[key], eventNames));
    if (misspelt !== undefined)
      throw wrong(`"${misspelt}" in its default export is not an event.${didYouMean(misspelt, eventNames)}`);
  }
  if (actions.size === 0)
    throw wrong(`it must export a function as default, or an object with a function per event; ${described(module)}`);
  return (eventName) => actions.get(eventName) ?? missing(eventName, [...actions.keys()]);
}

/** A function under a misspelled event name would be a guard that is never called. */
function isMisspelt(key: string, value: unknown, eventNames: readonly string[]): boolean {
  return isAction(value) && !eventNames.includes(key) && nearest(key, eventNames) !== undefined;
}

function missing(eventName: string, known: readonly string[]): Action {
  return () => {
    throw new Error(`its default export has no function for ${eventName}; it has ${known.join(", ")}`);
  };
}

/** Compilers to CommonJS nest the default export one level deeper. */
function defaultOf(module: unknown): unknown {
  const exported = isRecord(module) ? module.default : undefined;
  return isRecord(exported) && exported.__esModule === true ? exported.default : exported;
}

function described(module: unknown): string {
  const exported = defaultOf(module);
  if (exported === undefined) return `it has no default export${listed(module, "; it exports ")}`;
  if (isRecord(exported)) return `its default export is an object${listed(exported, " with ")}`;
  return `its default export is ${exported === null ? "null" : `a ${typeof exported}`}`;
}

function listed(object: unknown, before: string): string {
  const names = isRecord(object) ? Object.keys(object) : [];
  return names.length === 0 ? "" : `${before}${names.slice(0, 10).join(", ")}`;
}

function loadFailure(file: string, error: unknown): string {
  if (!(error instanceof Error)) return `${file}: it threw ${String(error)} while it was loaded`;
  const place = placeIn(error.stack ?? "") ?? file;
  // Node shows the position of a syntax error only if it is not caught.
  const hint = error instanceof SyntaxError && place === file ? `; \`node --check ${file}\` shows where` : "";
  return `${place}: ${error.name === "Error" ? "" : `${error.name}: `}${error.message}${hint}`;
}

/** The position of the loaded code in the stack, as `file:line`; frames after Node's loader are our own. */
function placeIn(stack: string): string | undefined {
  const [own = ""] = stack.split(/\(node:internal\/modules/);
  const [, url, path = "", line] = /(file:\/\/)?(\/[^\s?#:()]+)(?:\?[^\s:()]*)?:(\d+)/.exec(own) ?? [];
  return line === undefined ? undefined : `${url === undefined ? path : fileURLToPath(url + path)}:${line}`;
}
