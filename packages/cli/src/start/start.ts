import { isAbsolute, join } from "node:path";
import { CodeCache } from "./codeCache.ts";
import { PackedProgram } from "./packedProgram.ts";

/** Filled in by the build: a hash of the scripts, which names their folder, and the names of the commands. */
declare const PACK: { readonly hash: string; readonly commands: readonly string[] };

/** The build converts this file to CommonJS: `createRequire` would load Node's ES module loader. */
declare const require: NodeJS.Require;

const { hash, commands } = PACK;
const { env, argv, version, arch } = process;
const homeDir = env.HOME ?? env.USERPROFILE ?? "";
const isCached = isAbsolute(homeDir) && env.HOOKLINE_CODE_CACHE !== "off";
// Each command needs only a part of the code; reading all of it would take longer.
const command = commands.find((name) => name === argv[2]) ?? "other";

const program = new PackedProgram({
  folder: join(import.meta.dirname, hash),
  filename: join(import.meta.dirname, "program.cjs"),
  require,
  importModule: (url) => import(url),
  cache: isCached ? new CodeCache({ homeDir, folder: `${hash}-${version}-${arch}`, command }) : undefined,
});
process.on("exit", () => program.writeCache());
program.load("main");
