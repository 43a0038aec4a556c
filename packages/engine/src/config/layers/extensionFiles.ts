import { join, resolve } from "node:path";
import { HooklineError } from "../../errors.ts";
import type { FileFamily } from "../values/configSource.ts";
import type { Extension } from "./loadedSettings.ts";
import type { SettingsFile } from "./settingsFiles.ts";

/** The declarations of each active extension: the hooks passed in by the program, then its `hooks/hooks.json`. */
export function extensionFiles(
  extensions: readonly Extension[],
  family: FileFamily = "hookline",
): readonly SettingsFile[] {
  assertExtensions(extensions);
  const active = extensions.filter(({ isActive }) => isActive);
  return active.flatMap((one) => [...inlineHooks(one), ...hooksFile(one)]).map((file) => ({ ...file, family }));
}

/** A program may pass them without types. */
function assertExtensions(given: unknown): void {
  if (!Array.isArray(given)) throw misfit(`must be a list, got ${nameOf(given)}`);
  for (const [index, one] of given.entries()) {
    if (typeof one !== "object" || one === null) throw misfit(`[${index}] must be an object, got ${nameOf(one)}`);
    for (const field of ["name", "path"]) {
      const value = Reflect.get(one, field);
      if (value !== undefined && typeof value !== "string")
        throw misfit(`[${index}].${field} must be a string, got ${nameOf(value)}`);
    }
  }
}

function nameOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
}

function misfit(what: string): HooklineError {
  const next = "Return a list of { name, path, isActive, hooks }; an empty one for no extensions.";
  return new HooklineError({
    code: "OPTION_INVALID",
    what: `getExtensions()${what.startsWith("[") ? "" : " "}${what}.`,
    next,
  });
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
