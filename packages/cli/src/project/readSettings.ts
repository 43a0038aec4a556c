import { SettingsConfig, type SettingsConfigOptions } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { endAtOnce } from "../terminal/endAtOnce.ts";
import type { Io } from "../terminal/io.ts";
import { keepClosed } from "./closedGuards.ts";

/** Reads the settings of a working directory; starts nothing, needs no trust. */
export async function readSettings(io: Io, workingDir = io.cwd): Promise<LoadedSettings> {
  const loaded = await endAtOnce(() => new SettingsConfig(settingsOptions({ ...io, cwd: workingDir })).loadSettings());
  keepClosed({ homeDir: io.homeDir, loaded });
  return loaded;
}

/** Which settings a program reads. */
export function settingsOptions({
  cwd,
  homeDir,
  systemFile,
}: Pick<Io, "cwd" | "homeDir" | "systemFile">): SettingsConfigOptions {
  return { workingDir: cwd, homeDir, declares: DECLARATION_KINDS, ...(systemFile === undefined ? {} : { systemFile }) };
}
