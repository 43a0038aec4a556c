import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../../../test/repository.ts";
import { temporaryFolder } from "../support/system.ts";
import { blocksOf } from "./markdown.ts";

const examples = blocksOf(readText("CONTRIBUTING.md")).flatMap(({ file, text }) =>
  file?.startsWith("packages/") ? [{ file, text }] : [],
);

test("CONTRIBUTING.md has a file for each thing to add that is not only a row", () => {
  const folders = examples.map(({ file }) => dirname(file).replace(/^packages\/\w+\/src\//, ""));
  expect(folders).toEqual(["hooks/handlers", "commands", "tools", "models", "declarations", "dialects"]);
});

test("the example files of CONTRIBUTING.md compile beside the sources", { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  for (const { file, text } of examples) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const config = {
    extends: join(ROOT, "tsconfig.base.json"),
    // A relative import of an example is looked up in the sources as well.
    compilerOptions: { noEmit: true, composite: false, rootDirs: [folder, ROOT] },
    files: examples.map(({ file }) => file),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(errorsIn(folder)).toBe("");
});

function errorsIn(folder: string): string {
  try {
    execFileSync("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
