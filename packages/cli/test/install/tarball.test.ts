import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NpmSandbox, ROOT, type Tarball } from "./npmSandbox.ts";

/** The functions of scripts/currentBuild.mjs. */
interface CurrentBuild {
  removeStaleModules(packageFolder: string, generated?: readonly string[]): void;
  mirrorFolder(from: string, to: string): void;
}

const CLI = join(ROOT, "packages/cli");
const ENTRIES = ["start.cjs", "journalThread.js", "runner.js"];

describe("a tarball holds the current build, and nothing else:", { timeout: 600_000 }, () => {
  let sandbox: NpmSandbox;
  let packed: ReadonlyMap<string, Tarball>;

  beforeAll(async () => {
    sandbox = await NpmSandbox.open();
    packed = await sandbox.pack(ROOT, "tarballs", "--workspaces", "--dry-run");
  }, 600_000);
  afterAll(() => sandbox.close());

  const inFolder = (tarball: Tarball | undefined, folder: string) =>
    (tarball?.files ?? []).filter((file) => file.startsWith(`${folder}/`)).toSorted();

  test.each([
    ["@hookline/engine", "packages/engine", [".d.ts", ".js"], ["dist/jsonc.js"]],
    ["@hookline/journal", "packages/journal", [".d.ts", ".js"], []],
    ["hookline", "packages/cli", [".d.ts"], []],
  ])("%s has a module for each source", (name, folder, endings, generated) => {
    const sources = filesIn(join(ROOT, folder, "src")).filter((file) => file.endsWith(".ts"));
    const modules = sources.flatMap((file) => endings.map((ending) => `dist/${file.slice(0, -3)}${ending}`));
    expect(inFolder(packed.get(name), "dist")).toEqual([...modules, ...generated].toSorted());
  });

  test("the journal has its thread, packed into one file", () => {
    expect(inFolder(packed.get("@hookline/journal"), "bundle")).toEqual(["bundle/journalThread.js"]);
    const thread = readFileSync(join(ROOT, "packages/journal/bundle/journalThread.js"), "utf8");
    expect([...thread.matchAll(/\bfrom\s*"(?!node:)([^"]+)"/g)].map(([, name]) => name)).toEqual(["libsql"]);
  });

  test("the program has one pack, and the modules that its entries import", () => {
    const bundle = (file: string) => readFileSync(join(CLI, "bundle", file), "utf8");
    const reached = new Set(ENTRIES);
    for (const file of reached) {
      for (const [, imported = ""] of bundle(file).matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)) reached.add(imported);
    }
    const files = inFolder(packed.get("hookline"), "bundle").map((file) => file.slice("bundle/".length));
    const isPack = (file: string) => /^[0-9a-f]{16}\//.test(file);
    expect(files.filter((file) => !isPack(file) && !file.startsWith("demo/"))).toEqual([...reached].toSorted());
    const packs = new Set(files.filter(isPack).map((file) => dirname(file)));
    expect([...packs].map((pack) => bundle("start.cjs").includes(pack))).toEqual([true]);
  });

  test("packs and modules of earlier builds are left out", async () => {
    const copy = sandbox.folder("copy");
    for (const part of ["package.json", "README.md", "LICENSE", "bin", "bundle"]) {
      cpSync(join(CLI, part), join(copy, part), { recursive: true });
    }
    const stale = ["0123456789abcdef/program.cjs", "errors-OLDHASH1.js", ".new-Ab12Cd/start.cjs"];
    for (const file of stale) write(join(copy, "bundle", file));
    const tarball = (await sandbox.pack(copy, "stale", "--dry-run")).get("hookline");
    expect(inFolder(tarball, "bundle")).toEqual(inFolder(packed.get("hookline"), "bundle"));
  });

  test("modules whose source is gone are removed, and those that the build generates are not", async () => {
    const folder = sandbox.folder("package");
    const modules = ["hooks/here", "hooks/gone", "jsonc"];
    for (const name of modules) for (const ending of [".js", ".d.ts"]) write(join(folder, "dist", name + ending));
    write(join(folder, "src/hooks/here.ts"));
    const { removeStaleModules } = await currentBuild();
    removeStaleModules(folder, ["jsonc"]);
    expect(filesIn(join(folder, "dist")).toSorted()).toEqual([
      "hooks/here.d.ts",
      "hooks/here.js",
      "jsonc.d.ts",
      "jsonc.js",
    ]);
  });

  test("a file that the demo no longer has is removed from its copy", async () => {
    const [from, to] = [sandbox.folder("demo"), sandbox.folder("demo-copy")];
    for (const file of ["a.md", "hooks/b.sh"]) write(join(from, file));
    write(join(to, "hooks/gone.sh"));
    const { mirrorFolder } = await currentBuild();
    mirrorFolder(from, to);
    expect(filesIn(to).toSorted()).toEqual(["a.md", "hooks/b.sh"]);
  });
});

function currentBuild(): Promise<CurrentBuild> {
  return import(`${ROOT}scripts/currentBuild.mjs`);
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function write(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
}
