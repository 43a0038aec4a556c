import { opendirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import { fault, type Problem } from "../values/problem.ts";
import { mapInTurn } from "../values/slices.ts";
import { DescriptorWait } from "./descriptorWait.ts";
import { enablementDoubts } from "./extensionEnablement.ts";
import { extensionFiles } from "./extensionFiles.ts";
import { type ExtensionPlace, placeOfExtension } from "./linkedExtension.ts";
import type { Extension } from "./loadedSettings.ts";
import { physical } from "./projectRoot.ts";

/** One file that may contain declarations. */
export interface SettingsFile {
  readonly file: string;
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly form: "json" | "yaml";
  /** For a file in a kind's folder: the kind of its one declaration. Absent: hooks, and in JSON any kind that has a key there. */
  readonly kind?: DeclarationKind;
  /** Where its relative commands are looked up. */
  readonly dirs: readonly string[];
  /** For an extension's file: the extension's folder. */
  readonly extensionPath?: string;
  /** Settings passed in by the program instead of a file; `file` is then only a description. */
  readonly given?: unknown;
}

export interface SettingsFiles {
  /** In running order. */
  readonly files: readonly SettingsFile[];
  readonly problems: readonly Problem[];
  /** Folders, existing or not, whose entries matter, and files that name other folders. */
  readonly folders: readonly string[];
}

export interface Places {
  readonly root: string;
  readonly homeDir: string;
  /** Another folder with a `.gemini` of the user. */
  readonly geminiHome?: string | undefined;
  readonly systemFile: string;
  readonly extensions?: readonly Extension[] | undefined;
  readonly declares: readonly DeclarationKind[];
}

// Not configurable by a variable: a project's shell could use it to disarm a guard.
export const SYSTEM_FILE =
  process.platform === "darwin" ? "/Library/Application Support/Hookline/settings.json" : "/etc/hookline/settings.json";

/** The Gemini CLI folder next to ours, by the name of ours. */
const GEMINI_FOLDERS: ReadonlyMap<string, string> = new Map([
  ["hookline", "gemini-cli"],
  ["Hookline", "GeminiCli"],
]);

const MAX_YAML_FILES = 1_000;
const MAX_LISTED = 10_000;

/** Every file of every layer, in running order: project, user, system, extensions. */
export async function settingsFiles(places: Places): Promise<SettingsFiles> {
  const { root, homeDir, geminiHome, systemFile, extensions, declares } = places;
  const others =
    geminiHome === undefined ? [] : settingsIn(geminiHome, "user").filter(({ family }) => family === "gemini");
  const user = [...settingsIn(homeDir, "user"), ...others];
  const project = await projectFiles(root, declares);
  const installed = extensions ? [] : await mapInTurn(extensionFolders(homeDir, geminiHome), installedExtensions);
  return {
    files: [
      ...without(project.files, user),
      ...user,
      ...systemFiles(systemFile),
      ...extensionFiles(extensions ?? []),
      ...installed.flatMap(({ files }) => files),
    ],
    problems: [...project.problems, ...installed.flatMap(({ problems }) => problems)],
    folders: [...project.folders, ...installed.flatMap(({ watch }) => watch)],
  };
}

/** Our file, and the Gemini CLI's at its own location. A program that names another file gets only that file. */
function systemFiles(systemFile: string): readonly SettingsFile[] {
  const folder = dirname(systemFile);
  const sibling = GEMINI_FOLDERS.get(basename(folder));
  const gemini = sibling === undefined ? [] : [join(dirname(folder), sibling, "settings.json")];
  return [systemFile, ...gemini].map((file, index) => ({
    file,
    source: "system",
    family: index === 0 ? "hookline" : "gemini",
    form: "json",
    dirs: [dirname(file)],
  }));
}

interface ExtensionFolder {
  readonly folder: string;
  readonly family: FileFamily;
}

function extensionFolders(homeDir: string, geminiHome: string | undefined): readonly ExtensionFolder[] {
  const homes = geminiHome === undefined ? [homeDir] : [homeDir, geminiHome];
  return [
    { folder: join(homeDir, ".hookline", "extensions"), family: "hookline" },
    ...homes.map((home): ExtensionFolder => ({ folder: join(home, ".gemini", "extensions"), family: "gemini" })),
  ];
}

/** A project's files: its two settings files, then its YAML hooks by name, then the folders of other kinds. */
export async function projectFiles(root: string, declares: readonly DeclarationKind[]) {
  const own = declares.filter(({ from }) => "folder" in from);
  const folders = await mapInTurn([undefined, ...own], (kind) => yamlFiles(root, kind));
  return {
    files: [...settingsIn(root, "project"), ...folders.flatMap(({ files }) => files)],
    problems: folders.flatMap(({ problems }) => problems),
    folders: folders.map(({ folder }) => folder),
  };
}

const HOOKS_FOLDER = ".system/hooks";

async function yamlFiles(root: string, kind: DeclarationKind | undefined) {
  const folder = join(root, kind && "folder" in kind.from ? kind.from.folder : HOOKS_FOLDER);
  const { names, problems, isCut } = await listing(folder);
  const yaml = names.filter((file) => /^[^.].*\.ya?ml$/.test(file));
  const files = yaml.slice(0, MAX_YAML_FILES).map((file): SettingsFile => {
    const place = { file: join(folder, file), dirs: [root, folder], ...(kind === undefined ? {} : { kind }) };
    return { ...place, source: "project", family: "hookline", form: "yaml" };
  });
  const isAll = !isCut && files.length === yaml.length;
  return { folder, files, problems: isAll ? problems : [...problems, tooMany(folder)] };
}

function tooMany(folder: string): Problem {
  const what = `There are more than ${MAX_YAML_FILES} YAML files, or more than ${MAX_LISTED} files in total; the rest is not read.`;
  const next = "Remove files you do not need, or declare hooks in .hookline/settings.json.";
  return fault({ code: "CONFIG_INVALID", where: { file: folder }, what, next });
}

/** Drops the user's files, with links followed: a file in the home folder, or linked to it, counts only as the user's. */
export function without(files: readonly SettingsFile[], user: readonly SettingsFile[]): readonly SettingsFile[] {
  const own = new Set(user.map(({ file }) => physical(file)));
  return files.filter(({ file }) => !own.has(physical(file)));
}

export function settingsIn(folder: string, source: "project" | "user"): readonly SettingsFile[] {
  const families: readonly FileFamily[] = ["hookline", "gemini"];
  return families.map((family) => {
    const beside = join(folder, `.${family}`);
    const dirs = source === "project" ? [folder, beside] : [beside];
    return { file: join(beside, "settings.json"), source, family, form: "json", dirs };
  });
}

async function installedExtensions({ folder, family }: ExtensionFolder) {
  const { names, problems } = await listing(folder);
  const places = await mapInTurn(names, (name) => extensionAt(join(folder, name), family));
  const all = places.map(({ path }, index): Extension => {
    return { name: names[index], path, isActive: path !== undefined && isFolder(path) };
  });
  const doubts = family === "gemini" ? enablementDoubts(folder, names) : [];
  return {
    files: extensionFiles(all, family),
    problems: [...problems, ...doubts, ...places.flatMap((place) => place.problems)],
    watch: [folder, ...places.flatMap(({ watch }) => watch)],
  };
}

async function extensionAt(path: string, family: FileFamily): Promise<ExtensionPlace> {
  return family === "gemini" && isFolder(path) ? await placeOfExtension(path) : { path, problems: [], watch: [] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface Listing {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
  /** The folder has more entries. */
  readonly isCut: boolean;
}

async function listing(folder: string): Promise<Listing> {
  try {
    return { ...(await new DescriptorWait().attempt(() => namesIn(folder))), problems: [] };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { names: [], problems: [], isCut: false };
    const what = `The folder cannot be listed: ${error instanceof Error ? error.message : String(error)}.`;
    return { names: [], problems: [fault({ code: "CONFIG_UNREADABLE", where: { file: folder }, what })], isCut: false };
  }
}

function namesIn(folder: string): Omit<Listing, "problems"> {
  const names: string[] = [];
  const opened = opendirSync(folder, { bufferSize: 1_000 });
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (names.length === MAX_LISTED) return { names: names.sort(), isCut: true };
      names.push(entry.name);
    }
    return { names: names.sort(), isCut: false };
  } finally {
    opened.closeSync();
  }
}
