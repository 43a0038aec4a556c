import { join, sep } from "node:path";
import type { HookSystem } from "@hookline/engine";

/** Where hooks are declared, whether or not anything is there yet. */
const CONFIGURATION = [".hookline", ".gemini", ".system"];

/** Whether a change of this file would change what hooks do, or what a trusted server or ability is. The path is absolute, with links followed. */
export function isProtectedFile(file: string, projectRoot: string, system: HookSystem | undefined): boolean {
  if (CONFIGURATION.some((folder) => file.startsWith(join(projectRoot, folder) + sep))) return true;
  if (!system?.getStartedHandler()) return false;
  const declared = [
    ...system
      .getRegistry()
      .getAllHooks()
      .map(({ config }) => config),
    ...system.getServers(),
    ...system.getAbilities(),
  ];
  return declared.some(({ place, target }) => place.file === file || target?.files.includes(file));
}
