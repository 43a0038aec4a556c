import { join } from "node:path";

type Variables = Readonly<Record<string, string>>;

/** What hooks of a case have besides the usual: its own variables, and git's led to the folder they run in. */
export function caseVariables(root: string, own: Variables): Variables {
  return { ...gitVariables(root), ...own };
}

/** Tests may be run by a hook of git. Its variables would send every git that a hook calls to the real repository. */
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
