import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { HooklineError } from "../../errors.ts";
import { fault, type Problem } from "../values/problem.ts";

/**
 * The user's home folder, for every caller that needs it. An empty or relative HOME would resolve to the working directory, where a
 * cloned repository could act as the user.
 */
export function homeFolder(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  const own = accountHome();
  if (own !== undefined) return own;
  const what = `HOME is ${JSON.stringify(home)}, which is not an absolute path, and this account has no home folder.`;
  throw new HooklineError({ code: "HOME_UNSAFE", what });
}

/**
 * Throws if the environment's home folder is in the project: the project's files would count as the user's, without trust. A folder that
 * the embedding program passes explicitly is not checked.
 */
export function refuseHomeInProject(homeDir: string, projectRoot: string): void {
  if (homeDir !== homedir()) return;
  const home = realPath(homeDir);
  const isInside = home === projectRoot || home.startsWith(`${projectRoot}${sep}`);
  // The file system root contains everything and is not a clone.
  if (!isInside || projectRoot === sep) return;
  const own = accountHome();
  if (own !== undefined && realPath(own) === home) return;
  const what = `The home folder is inside the project ${projectRoot}, so the project's files would count as yours.`;
  throw new HooklineError({ code: "HOME_UNSAFE", where: { file: homeDir }, what });
}

/**
 * The second folder with a user's `.gemini`, if `GEMINI_CLI_HOME` names one. It is read in addition to the home folder, never instead of
 * it: a variable must not remove guards. A folder inside the project is refused: the project could act as the user.
 */
export function geminiCliHome(
  homeDir: string,
  projectRoot: string,
): { readonly folder?: string; readonly problems: readonly Problem[] } {
  const named = process.env.GEMINI_CLI_HOME;
  if (!named || homeDir !== homedir()) return { problems: [] };
  const real = isAbsolute(named) ? realPath(named) : undefined;
  if (real !== undefined && real === realPath(homeDir)) return { problems: [] };
  if (real !== undefined && real !== projectRoot && !real.startsWith(`${projectRoot}${sep}`)) {
    return { folder: resolve(named), problems: [] };
  }
  const why = real === undefined ? "is not an absolute path" : "is inside the project";
  const what = `GEMINI_CLI_HOME ${why}, so the .gemini there is not read.`;
  const next = "Set it to the absolute path of a folder outside the project.";
  return { problems: [fault({ code: "CONFIG_INVALID", where: { file: named }, what, next })] };
}

/** From the system's account database, independent of the environment. */
function accountHome(): string | undefined {
  try {
    const { homedir: own } = userInfo();
    return isAbsolute(own) ? own : undefined;
  } catch {
    return undefined;
  }
}

/** Follows links as far as the path exists. */
function realPath(path: string): string {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      return join(realpathSync.native(folder), relative(folder, resolve(path)));
    } catch {
      if (folder === dirname(folder)) return resolve(path);
    }
  }
}
