import { opendir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DescriptorWait, mapBounded } from "./boundedReading.ts";
import type { ConfigSource, Extension, FileFamily, Problem } from "./hookDeclaration.ts";
import { fault } from "./problem.ts";
import { physical } from "./projectRoot.ts";

/** One file that may declare hooks, servers or an ability. */
export interface SettingsFile {
  readonly file: string;
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly form: "json" | "yaml" | "ability";
  /** Where its relative commands are looked up. */
  readonly dirs: readonly string[];
  /** Of an extension's file: where the extension lies. */
  readonly extensionPath?: string;
}

export interface SettingsFiles {
  /** In running order. */
  readonly files: readonly SettingsFile[];
  readonly problems: readonly Problem[];
  /** Folders whose listing matters, existing or not. */
  readonly folders: readonly string[];
}

export interface Places {
  readonly root: string;
  readonly homeDir: string;
  readonly systemFile: string;
  readonly extensions?: readonly Extension[] | undefined;
}

// No variable of ours moves it: a project's shell could disarm a guard with it.
export const SYSTEM_FILE =
  process.platform === "darwin" ? "/Library/Application Support/Hookline/settings.json" : "/etc/hookline/settings.json";

const MAX_YAML_FILES = 1_000;
const MAX_LISTED = 10_000;

/** Every file of every layer, in running order: project, user, system, extensions. */
export async function settingsFiles({ root, homeDir, systemFile, extensions }: Places): Promise<SettingsFiles> {
  const user = settingsIn(homeDir, "user");
  const project = await projectFiles(root);
  const extensionsFolder = join(homeDir, ".hookline", "extensions");
  const installed = extensions ? { active: extensions, problems: [] } : await installedExtensions(extensionsFolder);
  const system: SettingsFile = {
    file: systemFile,
    source: "system",
    family: "hookline",
    form: "json",
    dirs: [dirname(systemFile)],
  };
  return {
    files: [...(await without(project.files, user)), ...user, system, ...extensionFiles(installed.active)],
    problems: [...project.problems, ...installed.problems],
    folders: [...project.folders, ...(extensions ? [] : [extensionsFolder])],
  };
}

/** A project's files: its two settings files, then its YAML hooks by name, then its abilities. */
export async function projectFiles(root: string) {
  const hooks = await yamlFiles(root, "hooks", "yaml");
  const abilities = await yamlFiles(root, "abilities", "ability");
  return {
    files: [...settingsIn(root, "project"), ...hooks.files, ...abilities.files],
    problems: [...hooks.problems, ...abilities.problems],
    folders: [hooks.folder, abilities.folder],
  };
}

async function yamlFiles(root: string, name: string, form: SettingsFile["form"]) {
  const folder = join(root, ".system", name);
  const { names, problems, isCut } = await listing(folder);
  const yaml = names.filter((file) => /^[^.].*\.ya?ml$/.test(file));
  const files = yaml.slice(0, MAX_YAML_FILES).map((file): SettingsFile => {
    return { file: join(folder, file), source: "project", family: "hookline", form, dirs: [root, folder] };
  });
  const isAll = !isCut && files.length === yaml.length;
  return { folder, files, problems: isAll ? problems : [...problems, tooMany(folder)] };
}

function tooMany(folder: string): Problem {
  const what = `There are more than ${MAX_YAML_FILES} YAML files, or more than ${MAX_LISTED} files at all; the others are not read.`;
  const next = "Remove those that are not needed, or declare hooks in .hookline/settings.json.";
  return fault({ code: "CONFIG_INVALID", where: { file: folder }, what, next });
}

/** The files that are none of the user's, links followed: in the home folder, or linked to it, they are the user's alone. */
export async function without(
  files: readonly SettingsFile[],
  user: readonly SettingsFile[],
): Promise<readonly SettingsFile[]> {
  const own = await mapBounded(user, ({ file }) => physical(file));
  const real = await mapBounded(files, ({ file }) => physical(file));
  return files.filter((_, index) => !own.includes(real[index] ?? ""));
}

export function settingsIn(folder: string, source: "project" | "user"): readonly SettingsFile[] {
  const families: readonly FileFamily[] = ["hookline", "gemini"];
  return families.map((family) => {
    const beside = join(folder, `.${family}`);
    const dirs = source === "project" ? [folder, beside] : [beside];
    return { file: join(beside, "settings.json"), source, family, form: "json", dirs };
  });
}

export function extensionFiles(extensions: readonly Extension[]): readonly SettingsFile[] {
  return extensions
    .filter(({ isActive }) => isActive)
    .map(({ path }) => {
      const beside = join(resolve(path), "hooks");
      return {
        file: join(beside, "hooks.json"),
        source: "extensions",
        family: "hookline",
        form: "json",
        dirs: [beside],
        extensionPath: resolve(path),
      };
    });
}

async function installedExtensions(folder: string) {
  const { names, problems } = await listing(folder);
  const all = await mapBounded(names, async (name): Promise<Extension> => {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    return { name, path, isActive: stats?.isDirectory() ?? false };
  });
  return { active: all.filter(({ isActive }) => isActive), problems };
}

interface Listing {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
  /** There is more in the folder. */
  readonly isCut: boolean;
}

async function listing(folder: string): Promise<Listing> {
  const names: string[] = [];
  try {
    for await (const { name } of await new DescriptorWait().attempt(() => opendir(folder, { bufferSize: 1_000 }))) {
      if (names.length === MAX_LISTED) return { names: names.sort(), problems: [], isCut: true };
      names.push(name);
    }
    return { names: names.sort(), problems: [], isCut: false };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { names: [], problems: [], isCut: false };
    const what = `The folder cannot be listed: ${error instanceof Error ? error.message : String(error)}.`;
    return { names: [], problems: [fault({ code: "CONFIG_UNREADABLE", where: { file: folder }, what })], isCut: false };
  }
}
