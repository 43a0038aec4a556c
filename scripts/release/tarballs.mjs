import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { THIRD_PARTY_FILE } from "../thirdParty.mjs";
import { run } from "./process.mjs";

/** Runs `npm pack` in a folder. `npm` takes a folder and arguments, and resolves to what npm prints. Returns tarballs by package. */
export async function packInto(destination, { npm, folder, options = [] }) {
  const stdout = await npm(folder, "pack", "--json", "--pack-destination", destination, ...options);
  const packed = JSON.parse(stdout).map(({ name, filename, files }) => [
    name,
    { file: join(destination, filename), files: files.map(({ path }) => path) },
  ]);
  return new Map(packed);
}

/** Returns the folder with its files. */
export async function unpack(tarball, into, signal) {
  mkdirSync(into);
  await run("tar", ["-xzf", tarball, "-C", into], { cwd: into, signal, next: "This needs `tar`." });
  return join(into, "package");
}

const LEFT_OUT = [
  [/(^|\/)(tests?|fixtures)\//, "a test"],
  [/\.test\.[cm]?[jt]s$/, "a test"],
  [/\.map$/, "a source map"],
  [/\.tsbuildinfo$|(^|\/)\.npmrc$|(^|\/)\.env$/, "a file of this machine"],
];
/** An example project, which has its own tests. */
const EXAMPLE = /^bundle\/demo\//;

/**
 * What is wrong with the files of an unpacked tarball. `manifest` is its package.json, `paths` are folders of this machine that no file
 * may name, `licence` is the repository's.
 */
export function tarballFaults({ folder, files, manifest, paths, licence }) {
  const text = (file) => readFileSync(join(folder, file), "utf8");
  const has = (file) => files.includes(file);
  const missing = requiredFiles(manifest).filter((file) => !has(file));
  const unwanted = files.flatMap((file) => {
    const [, what] = (EXAMPLE.test(file) ? [] : LEFT_OUT).find(([pattern]) => pattern.test(file)) ?? [];
    return what === undefined ? [] : [`${file} is ${what}`];
  });
  const local = files.filter((file) => paths.some((path) => text(file).includes(path)));
  return [
    ...missing.map((file) => `${file} is missing`),
    ...(has("README.md") && !text("README.md").startsWith(`# ${manifest.name}\n`) ? ["README.md is not about it"] : []),
    ...(has("LICENSE") && text("LICENSE") !== licence ? ["LICENSE is not the one of the repository"] : []),
    ...unwanted,
    ...local.map((file) => `${file} names a folder of this machine`),
    ...(has(THIRD_PARTY_FILE) ? unlicensed(files, text(THIRD_PARTY_FILE)) : []),
  ];
}

/** By how its files begin, the platforms that a native program is shipped for. */
const NATIVE = {
  "native/hookline-hook-": ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"],
  "native/hookline-spawn-": ["linux-x64", "linux-arm64"],
};

/** `npm run build` makes them for one platform only, so a tarball of that is good enough for everything but a release. */
export function missingNative({ files, manifest }) {
  const shipped = Object.entries(NATIVE).filter(([start]) => manifest.files?.includes(`${start}*`));
  const needed = shipped.flatMap(([start, platforms]) => platforms.map((platform) => `${start}${platform}`));
  return needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`);
}

/** npm silently leaves out files that `files` names and that do not exist. */
function requiredFiles({ files = [], bin = {}, exports = {} }) {
  const named = files.filter((file) => !file.includes("*") && /\.\w+$/.test(file));
  const started = typeof bin === "string" ? [bin] : Object.values(bin);
  const imported = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  const bundled = files.includes("bundle") ? [THIRD_PARTY_FILE] : [];
  const all = ["package.json", "README.md", "LICENSE", ...bundled, ...named, ...started, ...imported];
  return [...new Set(all.map((file) => file.replace(/^\.\//, "")))];
}

/** The program's pack has a file for each package in it; the list of licences must have them all. */
function unlicensed(files, licences) {
  const listed = [...licences.matchAll(/^(\S+) \d\S* \(.+\)$/gm)].map(([, name]) =>
    name.replace("@", "").replace("/", "-"),
  );
  const packed = files.flatMap((file) => /\/package-(.+)\.cjs$/.exec(file)?.[1] ?? []);
  const without = packed.filter((name) => !listed.includes(name.replace(/-v\d+$/, "")));
  return without.map((name) => `${THIRD_PARTY_FILE} does not have ${name}`);
}
