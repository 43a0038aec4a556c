import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { LoadedSettings } from "../../src/config/layers/loadedSettings.ts";
import { type LoadOptions, loadSettings } from "../../src/config/layers/loadSettings.ts";
import type { Problem } from "../../src/config/values/problem.ts";
import { formatPlace } from "../../src/errors.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { commandHandler } from "../../src/hooks/handlers/command.ts";

/** A machine of its own: a home, a system file and a project, all inside one temporary folder. */
export interface Workspace {
  readonly dir: string;
  readonly project: string;
  readonly home: string;
  readonly write: (files: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly load: (options?: Partial<LoadOptions>) => Promise<LoadedSettings>;
  /** `project/.hookline/settings.json:1:2 error …`, with paths from the workspace. */
  readonly said: (problems: readonly Problem[]) => readonly string[];
  readonly relative: (value: unknown) => unknown;
}

/** Files are given by path; strings as they are, anything else as JSON; scripts are made executable. */
export async function workspace(files: Readonly<Record<string, unknown>> = {}): Promise<Workspace> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "hookline-config-")));
  onTestFinished(async () => await rm(dir, { recursive: true, force: true }));
  const [project, home] = [join(dir, "project"), join(dir, "home")];
  const write = async (more: Readonly<Record<string, unknown>>) => {
    for (const [path, content] of Object.entries(more)) {
      const file = join(dir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
      if (/\.(sh|py)$/.test(file)) await chmod(file, 0o755);
    }
  };
  await Promise.all([project, home].map((folder) => mkdir(folder, { recursive: true })));
  await write(files);
  const relative = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(`${dir}/`, ""));
  return {
    dir,
    project,
    home,
    write,
    relative,
    load: (options = {}) =>
      loadSettings({
        workingDir: project,
        homeDir: home,
        systemFile: join(dir, "etc/settings.json"),
        catalog: EVENTS,
        kinds: [commandHandler.kind],
        ...options,
      }),
    said: (problems) =>
      problems.map(({ severity, where, what }) =>
        `${formatPlace(where)} ${severity} ${what}`.replaceAll(`${dir}/`, ""),
      ),
  };
}

export const PROJECT_FILE = "project/.hookline/settings.json";
export const USER_FILE = "home/.hookline/settings.json";
export const SYSTEM_SETTINGS = "etc/settings.json";

/** Settings with one command hook on BeforeTool. */
export function oneHook(
  hook: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): unknown {
  return { hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "true", ...hook }] }] }, ...more };
}
