import { type Dirent, readdirSync } from "node:fs";
import type { Link } from "./survey.ts";

/** What a copy has for the packages of a project. Paths are relative to the root. */
export interface PackageEntries {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly Link[];
}

/** Where tools write beside the packages; a copy begins with none of it. */
export const CACHES: ReadonlySet<string> = new Set([".cache", ".vite", ".vite-temp", ".vitest", ".tmp"]);

export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // nothing is installed, or it cannot be read
  }
}
