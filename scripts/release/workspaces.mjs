import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The packages of the workspaces that are published, each with its folder and manifest. */
export function workspacesOf(root) {
  const { workspaces } = readJson(join(root, "package.json"));
  const folders = workspaces.flatMap((pattern) => foldersOf(root, pattern));
  const packages = folders.map((folder) => ({ folder, manifest: readJson(join(folder, "package.json")) }));
  return packages.filter(({ manifest }) => !manifest.private);
}

/** Each after the ones that it depends on. */
export function inDependencyOrder(packages) {
  const ordered = new Set();
  const visit = (one, path) => {
    if (path.includes(one)) throw new Error(`${one.manifest.name} depends on itself`);
    for (const other of packages) if (other.manifest.name in dependenciesOf(one)) visit(other, [...path, one]);
    ordered.add(one);
  };
  for (const one of packages) visit(one, []);
  return [...ordered];
}

export function dependenciesOf({ manifest }) {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return { ...dependencies, ...optionalDependencies, ...peerDependencies };
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Patterns are folders, or `folder/*`: Node 20 cannot expand others. */
function foldersOf(root, pattern) {
  if (!pattern.endsWith("/*")) return [join(root, pattern)];
  const parent = join(root, pattern.slice(0, -"/*".length));
  const folders = readdirSync(parent).map((name) => join(parent, name));
  return folders.filter((folder) => existsSync(join(folder, "package.json")));
}
