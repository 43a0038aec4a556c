// Packs the program for a fast start (packProgram.mjs), the library that other programs import into a few files, and the thread of the journal.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { mirrorFolder, packOnly, removeStaleModules } from "./currentBuild.mjs";
import { packProgram } from "./packProgram.mjs";
import { ThirdParty } from "./thirdParty.mjs";

const cli = (path) => fileURLToPath(new URL(`../packages/cli/${path}`, import.meta.url));
const engine = (path) => fileURLToPath(new URL(`../packages/engine/${path}`, import.meta.url));
const journal = (path) => fileURLToPath(new URL(`../packages/journal/${path}`, import.meta.url));
const folder = cli("bundle");
const AN_HOUR_MS = 3_600_000;
const bundler = fileURLToPath(new URL("../node_modules/rolldown", import.meta.url));
const inCli = new ThirdParty(bundler);
const inEngine = new ThirdParty(bundler);
const inJournal = new ThirdParty(bundler);

const ENTRIES = { runner: cli("dist/abilities/index.js") };
/** It is started in passing: there is nothing in it that it does not need. */
const THREAD = { journalThread: journal("dist/writer/journalThread.js") };

removeStaleModules(engine("."), ["jsonc"]);
removeStaleModules(journal("."));
removeStaleModules(cli("."));
await packJsonParser();
mkdirSync(folder, { recursive: true });
const made = mkdtempSync(join(folder, ".new-"));
inCli.add(await pack(ENTRIES));
const thread = await pack(THREAD, { treeshake: { moduleSideEffects: false } });
for (const packages of [inCli, inJournal]) packages.add(thread);
copyThread();
await packStart(await writeProgram());
inCli.write(cli("."));
inEngine.write(engine("."));
inJournal.write(journal("."));

/** Each pack has its own folder: a program that was started before this build goes on with the scripts that it was started with. */
async function writeProgram() {
  const { BUILT_IN_TOOLS } = await import(cli("dist/tools/index.js"));
  const parameters = Object.fromEntries(BUILT_IN_TOOLS.map((tool) => [tool.name, tool.parameters]));
  const { version } = JSON.parse(readFileSync(cli("package.json"), "utf8"));
  const { scripts, built } = await packProgram(cli("dist/cli.js"), {
    TOOL_PARAMETERS: JSON.stringify(parameters),
    PROGRAM_VERSION: JSON.stringify(version),
  });
  inCli.add(built);
  const hash = createHash("sha256").update(JSON.stringify(scripts)).digest("hex").slice(0, 16);
  mkdirSync(join(made, hash));
  for (const { name, text } of scripts) writeFileSync(join(made, hash, name), text);
  return hash;
}

/** The file that every start reads first. */
async function packStart(hash) {
  const { COMMANDS } = await import(cli("dist/commands/index.js"));
  const PACK = JSON.stringify({ hash, commands: COMMANDS.map(({ name }) => name) });
  const bundle = await rolldown({
    input: cli("dist/start/start.js"),
    platform: "node",
    transform: { define: { PACK } },
  });
  inCli.add(await bundle.write({ file: join(made, "start.cjs"), format: "cjs", minify: true }));
}

/**
 * jsonc-parser's `main` loads its parts in a way that no bundler can follow, so a program that is bundled with the engine could not start.
 * The built engine has a copy that can be bundled.
 */
async function packJsonParser() {
  const input = fileURLToPath(new URL("../node_modules/jsonc-parser/lib/esm/main.js", import.meta.url));
  const bundle = await rolldown({ input, platform: "node" });
  inEngine.add(await bundle.write({ file: engine("dist/jsonc.js"), format: "esm" }));
  const importer = engine("dist/config/values/parseJson.js");
  writeFileSync(importer, readFileSync(importer, "utf8").replace('"jsonc-parser"', '"../../jsonc.js"'));
}

/** For programs that embed the journal, in its own package. */
function copyThread() {
  const [file, draft] = [journal("bundle/journalThread.js"), journal(`bundle/.new-${process.pid}`)];
  mkdirSync(journal("bundle"), { recursive: true });
  copyFileSync(join(made, "journalThread.js"), draft);
  renameSync(draft, file);
}

async function pack(input, options = {}) {
  const bundle = await rolldown({
    input,
    platform: "node",
    // Native: it brings a file for each platform, and finds the right one itself.
    external: ["libsql"],
    // jsonc-parser's `main` is in a form that cannot be packed.
    resolve: { mainFields: ["module", "main"] },
    ...options,
  });
  const target = { dir: made, format: "esm", minify: true, chunkFileNames: "[name]-[hash].js" };
  return bundle.write(target);
}

// One by one, the entries last: a program that starts during the build gets the old build or the new one, whole.
const isEntry = (name) =>
  ["start.cjs", ...Object.keys({ ...ENTRIES, ...THREAD }).map((entry) => `${entry}.js`)].includes(name);
const names = readdirSync(made).sort((one, other) => Number(isEntry(one)) - Number(isEntry(other)));
for (const name of names) replace(join(made, name), join(folder, name));
rmSync(made, { recursive: true });
// What a program that was started before this build may still load is left for a while.
const kept = [...names, "demo", ".npmignore"];
for (const name of readdirSync(folder).filter((other) => !kept.includes(other))) {
  const path = join(folder, name);
  if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - AN_HOUR_MS) {
    rmSync(path, { recursive: true, force: true });
  }
}
// What `hookline demo` works on.
mirrorFolder(fileURLToPath(new URL("../examples/demo", import.meta.url)), join(folder, "demo"));
packOnly(folder, [...names, "demo"]);

/** A folder is not replaced: it is named after what is in it. */
function replace(from, to) {
  if (!statSync(from).isDirectory() || !existsSync(to)) renameSync(from, to);
  else utimesSync(to, new Date(), new Date());
}
