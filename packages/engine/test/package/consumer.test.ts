import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/system.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const SETTINGS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
};

/** The files that `npm pack` would put into the tarball of a workspace. */
function packedFiles(workspace: string): string[] {
  const args = ["pack", "--dry-run", "--json", "--workspace", workspace];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }));
  return packed.files.map(({ path }: { path: string }) => path);
}

interface Surroundings {
  readonly others?: readonly string[];
  readonly lib?: readonly string[];
}

/** A project that has the packed engine and what it depends on installed, and nothing else. */
function consumer(program: string, { others = [], lib = ["es2023"] }: Surroundings = {}): string {
  const dir = temporaryFolder();
  const engine = join(dir, "node_modules/@hookline/engine");
  for (const file of packedFiles("@hookline/engine")) {
    mkdirSync(dirname(join(engine, file)), { recursive: true });
    cpSync(join(ROOT, "packages/engine", file), join(engine, file));
  }
  for (const name of ["zod", "yaml", "re2js", "@opentelemetry/api", "@types/node", "undici-types", ...others]) {
    mkdirSync(dirname(join(dir, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(dir, "node_modules", name));
  }
  cpSync(fileURLToPath(new URL(program, import.meta.url)), join(dir, "main.ts"));
  writeFileSync(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...SETTINGS, lib }, files: ["main.ts"] }),
  );
  return dir;
}

/** The SDK's own types need those of a browser. */
const WITH_SDK: Surroundings = { others: ["@google/genai"], lib: ["es2023", "dom"] };

function compile(dir: string): string {
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", dir], { cwd: dir, encoding: "utf8" });
  return stdout;
}

describe("a strict TypeScript program that has the packed engine compiles", { timeout: 120_000 }, () => {
  test("without the SDK", () => {
    expect(compile(consumer("../fixtures/consumers/withoutSdk.ts"))).toBe("");
  });

  test("with the SDK, whose types it passes in and gets back", () => {
    expect(compile(consumer("../fixtures/consumers/withSdk.ts", WITH_SDK))).toBe("");
  });
});

describe.each([
  ["@hookline/engine", "packages/engine"],
  ["hookline", "packages/cli"],
])("the tarball of %s", { timeout: 60_000 }, (workspace, folder) => {
  test("has a README and the licence of the repository", () => {
    expect(packedFiles(workspace)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const licence = (path: string) => readFileSync(join(ROOT, path, "LICENSE"), "utf8");
    expect(licence(folder)).toBe(licence("."));
  });
});
