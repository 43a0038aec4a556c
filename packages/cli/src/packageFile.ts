import { fileURLToPath } from "node:url";

/**
 * Resolves a file of this package. The top-level modules of `src`, `dist` and the bundle are all one folder below the
 * package root.
 */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
