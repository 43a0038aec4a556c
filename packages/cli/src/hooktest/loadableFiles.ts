import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { HookDeclaration } from "@hookline/engine/program";

/** File extensions that an interpreter loads as code. JSON counts: it can be imported, and `package.json` controls other imports. */
const CODE =
  /\.(?:py|pyw|pth|so|pyd|dylib|js|mjs|cjs|jsx|ts|mts|cts|json|node|wasm|sh|bash|zsh|fish|rb|pl|pm|php|lua)(?:\.\d+)*$/i;
const JSON_DATA = /\.json$/i;
/** Compiled code, which is loaded without its source. */
const COMPILED = /\.(?:pyc|pyo|pth|so|pyd|dylib|node|wasm)(?:\.\d+)*$|(?:^|\/)__pycache__\//i;
/** Tools discover these from their working directory or from the file they are given. */
const TOOL_SETTINGS =
  /(?:^|\/)(?:[^/]+\.config\.[cm]?[jt]s|\.[^/]+rc(?:\.\w+)?|(?:gnu)?makefile|justfile|rakefile|gemfile|conftest\.py|\.envrc|\.gitattributes)$/i;
/** `python3 -c` imports modules from the working directory, which is the project root. */
const PACKAGE_IN_ROOT = /^[^/]+\/__init__\.pyw?$/i;
/** Files that make a folder a git repository but cannot start a program. */
const HARMLESS_GIT = /^(?:HEAD|ORIG_HEAD|packed-refs|description|(?:refs|objects|logs)\/.+)$/;
const GIT_SETTINGS = /(?:^|\/)(?:config|config\.worktree|commondir)$/i;

export interface CaseSite {
  /** The folder that files are written to. Absolute, without links. */
  readonly root: string;
  readonly hooks: readonly HookDeclaration[];
  /** All files that tests of this file write. */
  readonly paths: ReadonlySet<string>;
}

/** Why a test may not write a file: a trusted hook could load it and run code that the user has not trusted. The path is relative. */
export function loadableFault(path: string, site: CaseSite): string | undefined {
  if (isGitSetting(path, site)) return "is read by git, which starts programs that it names";
  if (COMPILED.test(path) || TOOL_SETTINGS.test(path)) return "is loaded by programs as code";
  const existing = statsOf(site, path);
  if (existing?.isFile() && (existing.mode & 0o111) !== 0) return "is a program";
  if (!CODE.test(path)) return undefined;
  const isData = JSON_DATA.test(path) && !/(?:^|\/)package\.json$/i.test(path);
  if (existing && !isData) return "is code of the project, which a hook may load";
  const folders = site.hooks.flatMap((hook) => scriptFolders(hook, site.root));
  const isInRoot = !JSON_DATA.test(path) && (isBeside(path, "") || PACKAGE_IN_ROOT.test(path));
  return isInRoot || folders.some((folder) => isBeside(path, folder)) ? "could be loaded by a hook as code" : undefined;
}

/** Paths from the root, "" for the root itself. */
function scriptFolders({ target }: HookDeclaration, root: string): readonly string[] {
  const folders = (target?.files ?? []).map((file) => relative(root, dirname(file)));
  return folders.filter((folder) => !folder.startsWith(".."));
}

/** Programs find modules beside a script and below it. Every file is below the root, so there only direct neighbours count. */
function isBeside(path: string, folder: string): boolean {
  return folder === "" ? !path.includes("/") : path.toLowerCase().startsWith(`${folder.toLowerCase()}/`);
}

/** Covers bare repositories too: any folder with a HEAD. */
function isGitSetting(path: string, site: CaseSite): boolean {
  const names = path.split("/");
  const git = names.findLastIndex((name) => name.toLowerCase() === ".git");
  if (git !== -1 && !HARMLESS_GIT.test(names.slice(git + 1).join("/"))) return true;
  const head = join(dirname(path), "HEAD");
  return GIT_SETTINGS.test(path) && (site.paths.has(head) || statsOf(site, head) !== undefined);
}

function statsOf({ root }: CaseSite, path: string) {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false });
  } catch {
    return undefined; // a part of the path is a file
  }
}
