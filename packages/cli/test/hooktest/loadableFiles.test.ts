import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadableFault } from "../../src/hooktest/loadableFiles.ts";
import { readProjectSettings } from "../../src/sandbox/projectSettings.ts";

async function faultOf(path: string, paths: readonly string[] = [path]): Promise<string | undefined> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-loadable-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const hook = { type: "command", name: "guard", command: "hooks/guard.sh", timeout: "5s" };
  const files = {
    ".hookline/settings.json": JSON.stringify({ hooks: { BeforeTool: [{ hooks: [hook] }] } }),
    "hooks/guard.sh": "",
    "bin/tool": "",
    "src/old.py": "",
    "package.json": "{}",
    "data/list.json": "[]",
    "bare/HEAD": "",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const program of ["hooks/guard.sh", "bin/tool"]) chmodSync(join(root, program), 0o755);
  const { hooks } = await readProjectSettings(root);
  return loadableFault(path, { root, hooks, paths: new Set(paths) });
}

test.each([
  "hooks/json.py",
  "hooks/deep/er/rules.mjs",
  "HOOKS/Json.PY",
  "hooks/rules.json",
  "hooks/lib.sh",
  "json.py",
  "json/__init__.py",
  "conftest.py",
  "src/__pycache__/old.cpython-312.pyc",
  "lib/native.so.1",
  "src/.prettierrc.mjs",
  "vitest.config.ts",
  "sub/Makefile",
  "bin/tool",
  "src/old.py",
  "package.json",
  "shop/.git/config",
  "shop/.GIT/hooks/pre-commit",
  "shop/.git",
  "shop/.git/objects/.git/config",
  "bare/config",
])("a test may not write %s", async (path) => {
  expect(await faultOf(path)).toEqual(expect.any(String));
});

test.each([
  "notes.txt",
  ".env",
  "src/new.py",
  "src/app.js",
  "src/app.ts",
  "data/list.json",
  "data/new.json",
  "tsconfig.json",
  "hooks/allowed.txt",
  "shop/.git/HEAD",
  "shop/.git/refs/heads/main",
  "etc/config",
])("a test may write %s", async (path) => {
  expect(await faultOf(path)).toBeUndefined();
});

test("a configuration of git is one also where the test itself writes the HEAD beside it", async () => {
  expect(await faultOf("new/config", ["new/config", "new/HEAD"])).toEqual(expect.any(String));
});
