import type { HookDeclaration, LoadedSettings } from "@hookline/engine/program";
import type { Relocation } from "./relocation.ts";

/** Variables with the folder this program was started in; some programs trust them instead of calling getcwd. */
const WORKING_FOLDERS = ["PWD", "OLDPWD", "INIT_CWD"];

/** Rewrites absolute project paths in hook definitions, so that the hooks run inside the copy. */
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
  // A URL is not a path, even if it looks like one.
  if (target === undefined || hook.type === "http") return { ...hook, env };
  // A module path may contain characters that separate words in a command.
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
