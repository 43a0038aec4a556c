import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ReleaseFault } from "./fault.mjs";
import { run } from "./process.mjs";

/** The oldest line that is supported, and those after it. Pinned: a release is tried with what was tried before. */
export const NODES = ["20.20.2", "22.23.3", "24.21.0"];

/** The folder with this version of Node: the running one where it is of that line, else from the registry. */
export async function nodeFolder(version, { npm, into }) {
  const major = (text) => text.split(".")[0];
  if (major(version) === major(process.versions.node)) return dirname(process.execPath);
  const folder = join(into, `node-${version}`);
  mkdirSync(folder);
  // Not the package `node`: it only installs this one, with a script that npm may not be allowed to run.
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  const name = `${prefix}-${process.platform}-${process.arch}`;
  await npm(folder, "install", "--prefix", folder, "--no-save", "--no-package-lock", `${name}@${version}`);
  return join(folder, "node_modules", name, "bin");
}

/** Installs the tarballs into an empty project, as a user of this Node would, and uses them from there. */
export async function tryOut({ nodeDir, folder, tarballs, packages, npm, signal }) {
  mkdirSync(join(folder, "home"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await npm(folder, "install", ...tarballs);
  const next = `Try it by hand: install the tarballs that \`npm pack --workspaces\` makes, with the Node in ${nodeDir}.`;
  const PATH = `${nodeDir}${delimiter}${process.env.PATH ?? ""}`;
  // Nothing else: the variables of the npm that runs us, and of this machine, would hide what is missing.
  const env = { PATH, HOME: join(folder, "home"), TMPDIR: folder };
  const start = (command, ...args) => run(command, args, { cwd: folder, env, signal, next });
  const hookline = join(folder, "node_modules/.bin/hookline");
  const version = (await start(hookline, "--version")).trim();
  const wanted = packages[0].manifest.version;
  if (version !== wanted) throw new ReleaseFault(`The installed program says ${version}, not ${wanted}.`, next);
  const demo = await start(hookline, "demo");
  if (demo.trim() === "") throw new ReleaseFault("`hookline demo` printed nothing.", next);
  writeFileSync(join(folder, "imports.mjs"), importsOf(packages));
  await start(join(nodeDir, "node"), "imports.mjs");
  return (await start(join(nodeDir, "node"), "--version")).trim();
}

/** A program that imports every module that the packages export. */
function importsOf(packages) {
  const names = packages.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.entries(exports)
      .filter(([, entry]) => typeof entry !== "string")
      .map(([path]) => `${name}${path.slice(1)}`),
  );
  const imports = names.map((name, index) => `import * as m${index} from ${JSON.stringify(name)};`);
  const all = names.map((_, index) => `m${index}`).join(", ");
  const check = `for (const m of [${all}]) if (Object.keys(m).length === 0) throw new Error("A module exports nothing.");`;
  return [...imports, check, ""].join("\n");
}
