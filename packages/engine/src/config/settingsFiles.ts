import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
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

// No variable of ours moves these: a project's shell could disarm a guard with it.
export const defaultHome = homedir;
export const SYSTEM_FILE =
  process.platform === "darwin" ? "/Library/Application Support/Hookline/settings.json" : "/etc/hookline/settings.json";

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
  const { names, problems } = await listing(folder);
  const files = names
    .filter((file) => /^[^.].*\.ya?ml$/.test(file))
    .map((file): SettingsFile => {
      return { file: join(folder, file), source: "project", family: "hookline", form, dirs: [root, folder] };
    });
  return { folder, files, problems };
}

/** The files that are none of the user's, links followed: in the home folder, or linked to it, they are the user's alone. */
export async function without(
  files: readonly SettingsFile[],
  user: readonly SettingsFile[],
): Promise<readonly SettingsFile[]> {
  const own = await Promise.all(user.map(({ file }) => physical(file)));
  const real = await Promise.all(files.map(({ file }) => physical(file)));
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
  const all = await Promise.all(
    names.map(async (name): Promise<Extension> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      return { name, path, isActive: stats?.isDirectory() ?? false };
    }),
  );
  return { active: all.filter(({ isActive }) => isActive), problems };
}

async function listing(folder: string): Promise<{ names: readonly string[]; problems: readonly Problem[] }> {
  try {
    return { names: (await readdir(folder)).sort(), problems: [] };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return { names: [], problems: [] };
    const what = `The folder cannot be listed: ${error instanceof Error ? error.message : String(error)}.`;
    return { names: [], problems: [fault({ code: "CONFIG_UNREADABLE", where: { file: folder }, what })] };
  }
}
