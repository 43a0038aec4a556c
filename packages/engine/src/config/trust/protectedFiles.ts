import { statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Declaration } from "../hooks/hookDeclaration.ts";
import { commandOf, isScript, type LoadableNames, loadableBeside } from "../hooks/loadableNames.ts";
import { foldPath } from "./foldedPath.ts";
import { protectedByName } from "./protectedNames.ts";
import { KnownPaths, linkFreePath, realPathOf } from "./realPath.ts";

/** The files that a session depends on. */
export interface Protected {
  /** Real path, without links. */
  readonly projectRoot: string;
  readonly homeDir: string;
  /** Settings files and their folders of all layers, existing or not. */
  readonly settings: readonly string[];
  /** Further files and folders, from the embedding program. */
  readonly others: readonly string[];
  /** Hooks, servers and abilities. */
  readonly declared: readonly Declaration[];
}

/** What is protected, with the links of that moment followed: a session looks it up while hooks run. */
export interface ProtectedPlaces {
  readonly guarded: Protected;
  readonly decisive: readonly string[];
  readonly others: readonly string[];
  readonly started: readonly StartedPlaces[];
}

/** The places of one declaration, folded. */
interface StartedPlaces {
  readonly declaration: Declaration;
  readonly files: readonly { readonly file: string; readonly forms: readonly string[] }[];
  /** The folder of each script, from which it could load files. */
  readonly scripts: readonly { readonly script: string; readonly folders: readonly string[] }[];
}

export function protectedPlaces(guarded: Protected): ProtectedPlaces {
  const known = new KnownPaths();
  const forms = (place: string) => bothForms(place, known);
  return {
    guarded,
    decisive: [...foldersOf(guarded), ...guarded.settings].flatMap(forms),
    others: guarded.others.flatMap(forms),
    started: guarded.declared.map((declaration) => ({
      declaration,
      files: filesOf(declaration).map((file) => ({ file, forms: forms(file) })),
      scripts: scriptsOf(declaration).map((script) => ({ script, folders: forms(dirname(script)) })),
    })),
  };
}

/**
 * Why a write to this absolute path needs approval, or undefined. Compares the path as given and with its links followed
 * with every protected path in both forms.
 */
export function whyProtected(
  path: string,
  { guarded, decisive, others, started }: ProtectedPlaces,
): string | undefined {
  const { projectRoot } = guarded;
  const known = new KnownPaths();
  // The kernel follows a link before it applies a ".." after it; most programs do the opposite.
  const candidates = [...new Set([resolve(path), realPathOf(resolve(path), known), realPathOf(path, known)])];
  for (const candidate of candidates) {
    const named = protectedByName(isInside(candidate, projectRoot) ? relative(projectRoot, candidate) : candidate);
    if (named) return named;
  }
  const written = candidates.map(foldPath);
  const isOneOf = (forms: readonly string[]) => forms.some((form) => written.some((file) => isInside(file, form)));
  if (isOneOf(decisive)) return "decides what hooks do";
  if (isOneOf(others)) return "belongs to the program that runs this session";
  return whyStarted({ path, written, root: foldPath(projectRoot) }, started);
}

function foldersOf({ projectRoot, homeDir }: Protected): readonly string[] {
  const inProject = [".hookline", ".gemini", ".system", ".system/hooks", ".system/abilities", ".git"];
  return [
    ...inProject.map((name) => join(projectRoot, name)),
    // The program runs compiled code from its cache.
    ...[".hookline", ".gemini", ".cache/hookline"].map((name) => join(homeDir, name)),
  ];
}

interface Write {
  readonly path: string;
  /** The path in all its forms, folded. */
  readonly written: readonly string[];
  /** The project root, folded. */
  readonly root: string;
}

/** Whether a declaration starts this file, or starts a script that could load it. */
function whyStarted({ path, written, root }: Write, started: readonly StartedPlaces[]): string | undefined {
  const identity = identityOf(path);
  for (const { declaration, files, scripts } of started) {
    for (const { file, forms } of files) {
      const isSame = forms.some((form) => written.includes(form));
      if (isSame || (identity !== undefined && identity === identityOf(file))) {
        return `is what "${declaration.name}" runs`;
      }
    }
    for (const { script, folders } of scripts) {
      const names = loadableNames(declaration, script);
      const isBeside = folders.some((folder) =>
        written.some((file) => couldLoad(names, { file, folder, isRoot: folder === root })),
      );
      if (isBeside) return `could be loaded by ${basename(script)}, which "${declaration.name}" runs`;
    }
  }
  return undefined;
}

function filesOf({ place, target }: Declaration): readonly string[] {
  return [place.file, ...(target?.files ?? [])];
}

/** The started program or script comes first; the other words of a command may be data. */
function scriptsOf({ target }: Declaration): readonly string[] {
  return (target?.files ?? []).filter((file, index) => index === 0 || isScript(file));
}

interface Neighbour {
  readonly file: string;
  readonly folder: string;
  /** Everything in the project is below a script in its root. */
  readonly isRoot: boolean;
}

function couldLoad({ isLoadable, packageFiles }: LoadableNames, { file, folder, isRoot }: Neighbour): boolean {
  if (!isInside(file, folder) || !isLoadable(basename(file), isRoot)) return false;
  if (!isRoot) return true;
  const depth = file.slice(folder.length + 1).split("/").length;
  return depth === 1 || (depth === 2 && packageFiles.includes(basename(file)));
}

const namesOf = new WeakMap<Declaration, Map<string, LoadableNames>>();

/** Cached: a script that changes later must be trusted again. */
function loadableNames(declaration: Declaration, script: string): LoadableNames {
  const ofThis = namesOf.get(declaration) ?? new Map<string, LoadableNames>();
  namesOf.set(declaration, ofThis);
  const names = ofThis.get(script) ?? loadableBeside(script, commandOf(declaration));
  ofThis.set(script, names);
  return names;
}

function bothForms(path: string, known: KnownPaths): readonly string[] {
  const real = linkFreePath(path, known);
  return real === path ? [foldPath(path)] : [foldPath(path), foldPath(real)];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Identifies a file with hard links, so that a write under another name is recognised. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false }); // throwing costs more than the stat
    return stats?.isFile() && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined; // no access
  }
}
