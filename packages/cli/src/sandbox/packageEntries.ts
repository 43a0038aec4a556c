import { type Dirent, readdirSync } from "node:fs";
import type { Link } from "./survey.ts";

/** The copy's entries for the packages of a project. Paths are relative to the root. */
export interface PackageEntries {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly Link[];
}

/** Folders that tools write to next to the packages; a copy starts without them. */
export const CACHES: ReadonlySet<string> = new Set([".cache", ".vite", ".vite-temp", ".vitest", ".tmp"]);

export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not installed, or not readable
  }
}
