import { fileURLToPath } from "node:url";

/** A file of this package. Modules at the top of `src`, of `dist` and of the bundle are all one folder below its root. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
