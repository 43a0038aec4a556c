// Writes what is generated from the tables of the program: the pages of the reference, the table of tools, the JSON Schemas and the native
// client's table of hosts. With --check it only compares.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../packages/cli/dist/commands/index.js";
import { abilitySchema } from "../packages/cli/dist/declarations/abilities/abilityFields.js";
import { DECLARATION_KINDS } from "../packages/cli/dist/declarations/index.js";
import { hooktestSchema } from "../packages/cli/dist/hooktest/hooktestSchema.js";
import { BUILT_IN_TOOLS } from "../packages/cli/dist/tools/index.js";
import { HOOK_FIELDS } from "../packages/engine/dist/config/hooks/hookFields.js";
import { OPTION_SPECS } from "../packages/engine/dist/config/layers/optionSpecs.js";
import { DEFAULT_OPTIONS } from "../packages/engine/dist/config/values/options.js";
import * as entry from "../packages/engine/dist/index.js";
import * as parts from "../packages/engine/dist/program.js";
import { CLIENT_HOSTS, clientHosts } from "./clientHosts.mjs";
import { commandsPage } from "./commandsPage.mjs";
import { CONFIGURATION, configurationPage } from "./configurationPage.mjs";
import { DIALECTS_PAGE, dialectsPage } from "./dialectsPage.mjs";
import { PROOF, PROOF_PAGE, proofPage } from "./proofPage.mjs";
import { reference } from "./reference.mjs";
import { TOOLS_PAGE, toolsPage } from "./toolsPage.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = { abilitySchema, DECLARATION_KINDS, hooktestSchema };
const engine = { ...entry, ...parts };
const settings = { ...engine, ...program, DEFAULT_OPTIONS, HOOK_FIELDS, OPTION_SPECS };
const files = {
  ...reference({ ...engine, ...program }),
  "docs/reference/cli.md": commandsPage(COMMANDS),
  [DIALECTS_PAGE]: dialectsPage(engine),
  [CONFIGURATION]: configurationPage(read(CONFIGURATION) ?? "", settings),
  [CLIENT_HOSTS]: clientHosts(engine.ownNoRows()),
  [PROOF_PAGE]: proofPage(JSON.parse(read(PROOF) ?? "{}"), engine),
  [TOOLS_PAGE]: toolsPage(read(TOOLS_PAGE) ?? "", { ...engine, BUILT_IN_TOOLS }),
};
const stale = Object.keys(files).filter((path) => read(path) !== files[path]);
const left = readdirSync(join(root, "schemas"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
  .filter((path) => !(path in files));

if (process.argv.includes("--check")) {
  for (const path of stale) console.error(`${path} is not what the program says`);
  for (const path of left) console.error(`${path} belongs to nothing in the catalog`);
  if (stale.length + left.length > 0) {
    console.error("Run `npm run docs`.");
    process.exitCode = 1;
  }
} else {
  for (const path of stale) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), files[path]);
    console.log(`wrote ${path}`);
  }
  for (const path of left) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
  if (stale.length + left.length === 0) console.log(`${Object.keys(files).length} generated files are up to date`);
}

function read(path) {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
