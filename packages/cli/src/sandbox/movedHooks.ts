import type { HookDeclaration, LoadedSettings } from "@hookline/engine/program";
import type { Relocation } from "./relocation.ts";

/** They say where this program was started; some programs believe them rather than to ask. */
const WORKING_FOLDERS = ["PWD", "OLDPWD", "INIT_CWD"];

/** The hooks of a copy, which start what is in the copy and are led nowhere else, also where settings name the project's place. */
export function movedHooks(loaded: LoadedSettings, relocation: Relocation): LoadedSettings {
  const inherited = WORKING_FOLDERS.flatMap((name): [string, string][] => {
    const folder = process.env[name];
    return folder === undefined ? [] : [[name, relocation.path(folder)]];
  });
  const hooks = loaded.hooks.map((hook) => movedHook(hook, Object.fromEntries(inherited), relocation));
  return { ...loaded, hooks };
}

function movedHook(
  hook: HookDeclaration,
  inherited: Readonly<Record<string, string>>,
  relocation: Relocation,
): HookDeclaration {
  const own = Object.entries(hook.env).map(([name, value]) => [name, relocation.text(value)]);
  const env = { ...inherited, ...Object.fromEntries(own) };
  const { target } = hook;
  // An address is no path, though it may look like one.
  if (target === undefined || hook.type === "http") return { ...hook, env };
  // The path of a module may hold what ends a word in a command.
  const move = (text: string) => (hook.type === "plugin" ? relocation.path(text) : relocation.text(text));
  const fields = Object.entries(target.fields).map(([name, value]) => [name, moved(value, move)]);
  return {
    ...hook,
    env,
    target: {
      ...target,
      fields: Object.fromEntries(fields),
      identity: moved(target.identity, move),
      files: target.files.map((file) => relocation.path(file)),
    },
  };
}

function moved(value: unknown, move: (text: string) => string): unknown {
  if (typeof value === "string") return move(value);
  return Array.isArray(value) ? value.map((item) => moved(item, move)) : value;
}
