import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { HooklineError } from "@hookline/engine";
import { Interrupted } from "../exitCode.ts";
import { type Bounds, boundsText, sizeText } from "./bounds.ts";
import { filesBelow, listFiles } from "./listFiles.ts";

/** What is copied, and as what. Paths are relative to the root, with slashes. */
export interface CopyPlan {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** `to` is relative to the link's folder, or absolute where it leads to installed packages. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Things that belong to the project and are not in the copy. */
  readonly notices: readonly string[];
}

interface Wanted {
  readonly bounds: Bounds;
  /** Files that are needed though git ignores them. */
  readonly also: readonly string[];
  /** What to do where the project is too large. */
  readonly next: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Hooks are declared here, whatever git thinks of these folders. */
const SETTINGS = [".hookline", ".gemini", ".system"];
/** What the program itself writes; a copy begins without a past. */
const OWN = /^\.hookline\/(?:(?:journal|tasks)\.db[^/]*|sessions(?:\/.*)?)$/;

/** Looks at everything and copies nothing; `root` is without links. Throws COPY_REFUSED where there is too much. */
export async function planCopy(root: string, { bounds, also, next, signal }: Wanted): Promise<CopyPlan> {
  const listed = await listFiles(root, bounds.maxFiles, signal);
  if (signal?.aborted) throw new Interrupted();
  const settings = SETTINGS.flatMap((folder) => filesBelow(root, folder, bounds.maxFiles));
  const survey = new Survey(root, bounds.maxFiles);
  for (const path of new Set([...listed, ...settings, ...also])) survey.add(path);
  const { files, bytes } = survey;
  if (files.length > bounds.maxFiles || bytes > bounds.maxBytes) {
    const what = `The project has ${files.length} files or more, with ${sizeText(bytes)} together; at most ${boundsText(bounds)} are copied.`;
    throw new HooklineError({
      code: "COPY_REFUSED",
      where: { file: root },
      what,
      ...(next === undefined ? {} : { next }),
    });
  }
  return survey.plan();
}

class Survey {
  readonly files: string[] = [];
  bytes = 0;
  readonly #root: string;
  readonly #most: number;
  readonly #links: { path: string; to: string }[] = [];
  readonly #notices: string[] = [];
  /** By path: whether it is a folder of the project itself, not one behind a link. */
  readonly #folders = new Map<string, boolean>([["", true]]);

  constructor(root: string, most: number) {
    this.#root = root;
    this.#most = most;
  }

  add(path: string): void {
    if (OWN.test(path) || path.split("/").some((name) => name === "node_modules" || name === ".git")) return;
    if (!this.#isOwnFolder(folderOf(path))) return;
    const stats = statsOf(join(this.#root, path));
    if (stats === undefined) return; // removed, and git still has it
    if (stats.isSymbolicLink()) this.#addLink(path);
    else if (stats.isDirectory()) for (const inner of filesBelow(this.#root, path, this.#most)) this.add(inner);
    else if (stats.isFile()) {
      this.files.push(path);
      this.bytes += stats.size;
    } else this.#notices.push(`${path} is no regular file; the copy is without it`);
  }

  plan(): CopyPlan {
    const folders = [...this.#folders].flatMap(([path, isOwn]) => (isOwn ? [path] : []));
    const packages = folders.flatMap((folder) => this.#packagesIn(folder));
    return { folders, files: this.files, links: [...this.#links, ...packages], notices: this.#notices };
  }

  /** A link of the copy must not lead back into the project, whatever way its text takes. */
  #addLink(path: string): void {
    const file = join(this.#root, path);
    const target = realTarget(file);
    const inside = relative(this.#root, target);
    if (inside.startsWith("..") || isAbsolute(inside)) {
      this.#notices.push(`${path} is a link that leads out of the project; the copy is without it`);
      return;
    }
    const isPackage = inside.split(sep).includes("node_modules");
    this.#links.push({ path, to: isPackage ? target : relative(dirname(file), target) || "." });
  }

  /** Installed packages are linked: they are large, and hooks only read them. */
  #packagesIn(folder: string): { path: string; to: string }[] {
    const path = folder === "" ? "node_modules" : `${folder}/node_modules`;
    try {
      return [{ path, to: realpathSync(join(this.#root, path)) }];
    } catch {
      return [];
    }
  }

  /** Git may list files of a folder that is a link by now. */
  #isOwnFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isOwn = this.#isOwnFolder(folderOf(folder)) && statsOf(join(this.#root, folder))?.isDirectory() === true;
    this.#folders.set(folder, isOwn);
    return isOwn;
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // behind a folder that nobody may enter, or that is a file by now
  }
}

/** Where a link leads in the end; where that is nothing, what its text says. */
function realTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(dirname(file), readlinkSync(file));
  }
}
