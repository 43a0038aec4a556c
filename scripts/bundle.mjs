// Packs the program into a few files: to look up and read some hundred small ones takes longer than all else at its start.
// What only some commands need (a model's SDK, the MCP client, prompts) is imported where it is used and gets files of its own.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const cli = (path) => fileURLToPath(new URL(`../packages/cli/${path}`, import.meta.url));

const bundle = await rolldown({
  input: { cli: cli("dist/cli.js") },
  platform: "node",
  // jsonc-parser's `main` is in a form that cannot be packed.
  resolve: { mainFields: ["module", "main"] },
});
await bundle.write({
  dir: cli("bundle"),
  format: "esm",
  minify: true,
  cleanDir: true,
  chunkFileNames: "[name]-[hash].js",
});
