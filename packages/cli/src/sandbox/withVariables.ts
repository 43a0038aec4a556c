import { join } from "node:path";
import type { LoadedSettings } from "@hookline/engine/program";

type Variables = Readonly<Record<string, string>>;

/** Adds these variables to every hook, and points git's variables to the folder the hook runs in. */
export function withVariables(loaded: LoadedSettings, own: Variables): LoadedSettings {
  const variables = { ...gitVariables(loaded.projectRoot), ...own };
  return { ...loaded, hooks: loaded.hooks.map((hook) => ({ ...hook, env: { ...hook.env, ...variables } })) };
}

/** A git hook may have started us. Its variables would direct every git that a hook calls to the real repository. */
function gitVariables(root: string): Variables {
  const places: Variables = {
    GIT_DIR: join(root, ".git"),
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(root, ".git", "index"),
    GIT_COMMON_DIR: join(root, ".git"),
    GIT_OBJECT_DIRECTORY: join(root, ".git", "objects"),
    GIT_PREFIX: "",
  };
  return Object.fromEntries(Object.entries(places).filter(([name]) => process.env[name] !== undefined));
}
