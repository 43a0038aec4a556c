import { join, resolve } from "node:path";
import type { FileFamily } from "../values/configSource.ts";
import type { Extension } from "./loadedSettings.ts";
import type { SettingsFile } from "./settingsFiles.ts";

/** The declarations of each active extension: the hooks passed in by the program, then its `hooks/hooks.json`. */
export function extensionFiles(
  extensions: readonly Extension[],
  family: FileFamily = "hookline",
): readonly SettingsFile[] {
  const active = extensions.filter(({ isActive }) => isActive);
  return active.flatMap((one) => [...inlineHooks(one), ...hooksFile(one)]).map((file) => ({ ...file, family }));
}

function inlineHooks({ name, path, hooks }: Extension): readonly SettingsFile[] {
  if (hooks === undefined || hooks === null) return [];
  const dirs = path === undefined ? [] : [resolve(path), join(resolve(path), "hooks")];
  return [{ ...origin(path), file: `extension ${name ?? path ?? "without a name"}`, dirs, given: { hooks } }];
}

function hooksFile({ path }: Extension): readonly SettingsFile[] {
  if (path === undefined) return [];
  const beside = join(resolve(path), "hooks");
  return [{ ...origin(path), file: join(beside, "hooks.json"), dirs: [beside] }];
}

function origin(path: string | undefined): Pick<SettingsFile, "source" | "family" | "form" | "extensionPath"> {
  const place = path === undefined ? {} : { extensionPath: resolve(path) };
  return { source: "extensions", family: "hookline", form: "json", ...place };
}
