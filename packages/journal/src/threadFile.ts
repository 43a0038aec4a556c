import { fileURLToPath } from "node:url";

/**
 * The packed thread that writes the journal. Modules at the top of `src` and of `dist`, and what a program packs of them into its `bundle`,
 * are all one folder below the root of a package that has this file.
 */
export function threadFile(): string {
  return fileURLToPath(new URL("../bundle/journalThread.js", import.meta.url));
}
