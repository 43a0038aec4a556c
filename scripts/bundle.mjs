// Packs the program into a few files: to look up and read some hundred small ones takes longer than all else at its start.
// What only some commands need (a model's SDK, the MCP client, prompts) is imported where it is used and gets files of its own.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const cli = (path) => fileURLToPath(new URL(`../packages/cli/${path}`, import.meta.url));
const engine = (path) => fileURLToPath(new URL(`../packages/engine/${path}`, import.meta.url));
const folder = cli("bundle");
const AN_HOUR_MS = 3_600_000;

const ENTRIES = { cli: cli("dist/cli.js"), runner: cli("dist/abilities/index.js") };
/** For programs that have the engine already, and a thread that is started in passing: nothing in them that they do not need. */
const SMALL = { journal: cli("dist/journal/index.js"), journalThread: cli("dist/journal/journalThread.js") };

await packJsonParser();
mkdirSync(folder, { recursive: true });
const made = mkdtempSync(join(folder, ".new-"));
await pack(ENTRIES);
await pack(SMALL, { treeshake: { moduleSideEffects: false } });

/**
 * jsonc-parser's `main` loads its parts in a way that no bundler can follow, so a program that is bundled with the engine could not start.
 * The built engine has a copy that can be bundled.
 */
async function packJsonParser() {
  const input = fileURLToPath(new URL("../node_modules/jsonc-parser/lib/esm/main.js", import.meta.url));
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({ file: engine("dist/jsonc.js"), format: "esm" });
  const importer = engine("dist/config/parseJson.js");
  writeFileSync(importer, readFileSync(importer, "utf8").replace('"jsonc-parser"', '"../jsonc.js"'));
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
  await bundle.write({ dir: made, format: "esm", minify: true, chunkFileNames: "[name]-[hash].js" });
}

// One by one and the entries last, so that whoever starts the program meanwhile gets one build or the other, whole.
const isEntry = (name) => Object.keys({ ...ENTRIES, ...SMALL }).some((entry) => name === `${entry}.js`);
const names = readdirSync(made).sort((one, other) => Number(isEntry(one)) - Number(isEntry(other)));
for (const name of names) renameSync(join(made, name), join(folder, name));
rmSync(made, { recursive: true });
// What a program that was started before this build may still load is left for a while.
for (const name of readdirSync(folder).filter((other) => !names.includes(other))) {
  const path = join(folder, name);
  if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - AN_HOUR_MS) {
    rmSync(path, { recursive: true, force: true });
  }
}
// What `hookline demo` works on.
cpSync(fileURLToPath(new URL("../examples/demo", import.meta.url)), cli("bundle/demo"), { recursive: true });
