import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SettingsConfig, type TrustPolicy } from "@hookline/engine";
import { declaredOf, formatPlace, type LoadedSettings, type Problem } from "@hookline/engine/program";
import { onTestFinished } from "vitest";
import { ABILITIES } from "../../src/declarations/abilities/abilities.ts";
import type { AbilityDeclaration } from "../../src/declarations/abilities/abilityDeclaration.ts";
import { DECLARATION_KINDS } from "../../src/declarations/index.ts";
import { MCP_SERVERS } from "../../src/declarations/servers/mcpServers.ts";
import type { ServerDeclaration } from "../../src/declarations/servers/serverDeclaration.ts";

export const PROJECT_FILE = "project/.hookline/settings.json";
export const USER_FILE = "home/.hookline/settings.json";
export const SYSTEM_SETTINGS = "etc/settings.json";

type Files = Readonly<Record<string, unknown>>;
interface Loaded extends LoadedSettings {
  readonly servers: readonly ServerDeclaration[];
  readonly abilities: readonly AbilityDeclaration[];
}

export type Workspace = Awaited<ReturnType<typeof workspace>>;

/** A home, a system file and a project in one temporary folder. Strings are written as they are, anything else as JSON. */
export async function workspace(files: Files = {}) {
  const dir = temporaryFolder();
  const [project, home] = [join(dir, "project"), join(dir, "home")];
  const write = async (more: Files) => {
    for (const [path, content] of Object.entries(more)) {
      const file = join(dir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
      if (/\.(sh|py)$/.test(file)) await chmod(file, 0o755);
    }
  };
  await Promise.all([project, home].map((folder) => mkdir(folder, { recursive: true })));
  await write(files);
  const places = { homeDir: home, systemFile: join(dir, SYSTEM_SETTINGS), declares: DECLARATION_KINDS };
  return {
    dir,
    project,
    home,
    write,
    load: async (workingDir = project): Promise<Loaded> => {
      const loaded = await new SettingsConfig({ ...places, workingDir }).loadSettings();
      const [servers, abilities] = [declaredOf(MCP_SERVERS, loaded.others), declaredOf(ABILITIES, loaded.others)];
      return { ...loaded, servers, abilities };
    },
    /** The hook system of the project, disposed of when the test ends. */
    start: async (trust?: TrustPolicy, starts = DECLARATION_KINDS) => {
      const given = trust === undefined ? {} : { trust };
      const system = new SettingsConfig({ ...places, ...given, workingDir: project, starts }).getHookSystem();
      if (!system) throw new Error("hooks are on");
      onTestFinished(() => system.dispose());
      await system.initialize();
      return system;
    },
    /** `project/.hookline/settings.json:1:2 error …`, with paths from the workspace. */
    said: (problems: readonly Problem[]) =>
      problems.map(({ severity, where, what }) =>
        `${formatPlace(where)} ${severity} ${what}`.replaceAll(`${dir}/`, ""),
      ),
    relative: (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(`${dir}/`, "")),
  };
}

export function temporaryFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-declared-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
