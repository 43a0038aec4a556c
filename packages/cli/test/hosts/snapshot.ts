import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a folder: kinds, modes, contents and links. The code cache of the tests is left out. */
export function snapshot(folder: string, at = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, at)).filter((one) => one !== ".cache")) {
    const path = join(at, name);
    const stats = lstatSync(join(folder, path));
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isSymbolicLink()) found[path] = `link to ${readlinkSync(join(folder, path))}`;
    else if (stats.isDirectory()) Object.assign(found, { [path]: `folder ${mode}` }, snapshot(folder, path));
    else found[path] = `file ${mode} ${readFileSync(join(folder, path)).toString("base64")}`;
  }
  return found;
}
