import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeUserFolder, readOwnFile, replaceOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import { ProgramError } from "../errors.ts";
import { LEVELS } from "./seat.ts";

const MOST_BYTES = 64 * 1024 * 1024;

const entry = z.object({
  host: z.string(),
  level: z.enum(LEVELS),
  /** Where the host looks for its file. */
  path: z.string(),
  /** The file without the hooks of hookline, in Base64; null: there was none. */
  before: z.string().nullable(),
  /** Of the file as hookline wrote it. */
  afterHash: z.string(),
  /** The folders that were made for it, the outermost first. */
  folders: z.array(z.string()),
});

const record = z.object({
  /** The folders that were made for the client. */
  folders: z.array(z.string()),
  hosts: z.array(entry),
});

/** What one installation changed, so that it can be undone to the byte. */
export type InstalledHost = z.infer<typeof entry>;
export type Installed = z.infer<typeof record>;

const NOTHING: Installed = { folders: [], hosts: [] };

export function readInstalled(homeDir: string): Installed {
  const file = fileIn(homeDir);
  try {
    return record.parse(JSON.parse(readOwnFile(file, MOST_BYTES)));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return NOTHING;
    const what = "The record of installations cannot be read.";
    const next =
      "Move it away; `hookline uninstall` then removes the hooks of hookline, but cannot restore files to the byte.";
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, next, cause });
  }
}

/** An empty record has no file. */
export function writeInstalled(homeDir: string, installed: Installed): void {
  if (installed.hosts.length === 0) {
    rmSync(fileIn(homeDir), { force: true });
  } else {
    makeUserFolder(homeDir);
    replaceOwnFile(fileIn(homeDir), `${JSON.stringify(installed, null, 2)}\n`);
  }
}

export function withHost({ folders, hosts }: Installed, host: InstalledHost): Installed {
  return { folders, hosts: [...hosts.filter(({ path }) => path !== host.path), host] };
}

export function withoutPath({ folders, hosts }: Installed, path: string): Installed {
  return { folders, hosts: hosts.filter((host) => host.path !== path) };
}

const fileIn = (homeDir: string) => join(homeDir, ".hookline", "installed.json");
