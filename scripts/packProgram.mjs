// Packs the program for a fast start: our modules in two files, each package that it uses in another. A module runs when it is
// first used, and a file is read when the first of its modules runs (src/start).
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { IMPORT, LATE, LOAD, moduleBody, NAMESPACE } from "./lazyImports.mjs";

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/;

/** The modules that read a command line and print help, which is all that many starts do. A test sees to it that none is missing. */
const FRONT = [
  /^(?:main|rolldown-runtime)$/,
  /^cli-(?:processIo|program|programVersion)$/,
  /^cli-commands-/,
  /^cli-terminal-(?:colour|exitCode|hasTerminal|optionValues|output|processes|table)$/,
  // What the options and parameters of commands are made of.
  /^cli-abilities-(?:caller|runnerFlags|store-task)$/,
  /^cli-agent-(?:agentFlags|approver|output-\w+)$/,
  /^journal-queries-logFilter$/,
  /^cli-list-hookFilter$/,
  /^cli-project-unreadPolicy$/,
  /^cli-hosts-(?:claude|codex|gemini|hostOptions|seat|seats|clients-(?:curl|index|native|node))$/,
  /^cli-scaffold-(?:abilityRequest|hookRequest|languages|requestParts)$/,
  /^cli-declarations-abilities-abilityDeclaration$/,
  /^cli-models-providers$/,
  /^engine-config-layers-homeFolder$/,
];

/** The files of the pack, `scripts`, as names and texts, and what the bundler says about them, `built`. `define` has the values of names that the build fills in. */
export async function packProgram(input, define) {
  const bundle = await rolldown({
    input: { main: input },
    platform: "node",
    // Native: it brings a file for each platform, and finds the right one itself.
    external: ["libsql"],
    // jsonc-parser's `main` is in a form that cannot be packed.
    resolve: { mainFields: ["module", "main"] },
    transform: { define },
    preserveEntrySignatures: "allow-extension",
    treeshake: { moduleSideEffects: (id) => PACKAGE.test(id) },
  });
  const built = await bundle.generate({
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "module or package", name: chunkName }],
    },
  });
  const { output } = built;
  const isPackage = ({ name }) => name.startsWith("package-");
  const isFront = ({ name }) => FRONT.some((pattern) => pattern.test(name));
  const own = output.filter((chunk) => !isPackage(chunk));
  const files = [
    { name: "front", chunks: own.filter(isFront) },
    { name: "program", chunks: own.filter((chunk) => !isFront(chunk)) },
    ...output.filter(isPackage).map((chunk) => ({ name: chunk.name, chunks: [chunk] })),
  ];
  const scripts = files.map(({ name, chunks }) => ({ name: `${name}.cjs`, text: fileOf(name, chunks) }));
  return { scripts, built };
}

/** A package is a chunk, and so is every module of ours. */
function chunkName(id) {
  // The MCP client brings this old version of zod, and nothing else uses it.
  if (id.includes("/node_modules/zod/v3/")) return "package-zod-v3";
  const [, packageName] = PACKAGE.exec(id) ?? [];
  if (packageName !== undefined) return `package-${packageName.replace("@", "").replace("/", "-")}`;
  const [, workspace, path] = /\/packages\/([^/]+)\/dist\/(.*)\.js$/.exec(id) ?? [];
  return path === undefined ? undefined : `${workspace}-${path.replaceAll("/", "-")}`;
}

/** An expression whose value is a table of modules. */
function fileOf(name, chunks) {
  const modules = chunks.map(({ fileName, code }) => {
    const body = moduleBody(fileName, code, { isLazy: !name.startsWith("package-") });
    return `${JSON.stringify(fileName.replace(/\.cjs$/, ""))}: function (exports, ${LOAD}, ${IMPORT}, require, __filename) {\n${body}\n}`;
  });
  const helpers = [
    `const ${NAMESPACE} = (module) => ({ __proto__: module, default: module });`,
    `const ${LATE} = (required) => new Proxy({}, { get: (_, name) => required()[name] });`,
  ];
  const source = `"use strict"; ${helpers.join("")} return {${modules.join(",\n")}};`;
  const { code, errors } = minifySync(`${name}.cjs`, `module.exports = function () {${source}}();`);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return `(function (module) {${asciiOnly(code)}\nreturn module.exports;\n})`;
}

/** Such a file is read without decoding it. */
function asciiOnly(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
