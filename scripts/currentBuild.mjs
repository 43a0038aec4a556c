// Keeps what earlier builds left behind out of the tarballs.
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Removes modules whose source is gone, which `tsc -b` leaves in place. `generated` names the modules without a source. */
export function removeStaleModules(packageFolder, generated = []) {
  const dist = join(packageFolder, "dist");
  for (const file of filesIn(dist)) {
    const name = file.replace(/(\.d\.ts|\.js)$/, "");
    const isCurrent = generated.includes(name) || existsSync(join(packageFolder, "src", `${name}.ts`));
    if (!isCurrent) rmSync(join(dist, file));
  }
}

/** Copies a folder, and removes files that are only in the copy. */
export function mirrorFolder(from, to) {
  cpSync(from, to, { recursive: true });
  for (const file of filesIn(to)) if (!existsSync(join(from, file))) rmSync(join(to, file));
}

/** `npm pack` takes these entries of a folder, and no others. */
export function packOnly(folder, names) {
  writeFileSync(join(folder, ".npmignore"), ["/*", ...names.map((name) => `!/${name}`), ""].join("\n"));
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
