import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasProgram } from "../support/programs.ts";
import { NpmSandbox, ROOT, releaseScript, type Tarball } from "./npmSandbox.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}
interface Workspace {
  readonly folder: string;
  readonly manifest: Manifest;
}
interface Workspaces {
  workspacesOf(root: string): readonly Workspace[];
  inDependencyOrder(packages: readonly Workspace[]): readonly Workspace[];
  readJson(file: string): Manifest;
}
interface Checks {
  versionFaults(packages: readonly Workspace[], lock: object): readonly string[];
  changelogFaults(text: string, version: string): readonly string[];
}
interface Unpacked {
  readonly folder: string;
  readonly files: readonly string[];
  readonly manifest: Manifest;
  readonly paths: readonly string[];
  readonly licence: string;
}
interface Tarballs {
  unpack(tarball: string, into: string): Promise<string>;
  tarballFaults(unpacked: Unpacked): readonly string[];
  missingNative(unpacked: Pick<Unpacked, "files" | "manifest">): readonly string[];
}

const { workspacesOf, inDependencyOrder, readJson } = await releaseScript<Workspaces>("workspaces");
const { versionFaults, changelogFaults } = await releaseScript<Checks>("checks");
const { unpack, tarballFaults, missingNative } = await releaseScript<Tarballs>("tarballs");

const PACKAGES = inDependencyOrder(workspacesOf(ROOT));
const LICENCE = readFileSync(join(ROOT, "LICENSE"), "utf8");

describe("versions", () => {
  const lib = { folder: "", manifest: { name: "lib", version: "1.2.3" } };
  const app = { folder: "", manifest: { name: "app", version: "1.2.3", dependencies: { lib: "1.2.3", zod: "^4" } } };
  const LOCK = { packages: { "packages/lib": lib.manifest, "packages/app": app.manifest } };

  test("of this repository are one, and the lock file agrees and names no host", () => {
    expect(versionFaults(PACKAGES, readJson(join(ROOT, "package-lock.json")))).toEqual([]);
  });

  test("packages come after those that they depend on", () => {
    expect(inDependencyOrder([app, lib]).map(({ manifest }) => manifest.name)).toEqual(["lib", "app"]);
  });

  test.each<[string, object, object, readonly string[]]>([
    ["one version", {}, LOCK, []],
    ["another version", { version: "1.2.4" }, LOCK, ["app has version 1.2.4, lib has 1.2.3."]],
    ["a range", { dependencies: { lib: "^1.2.3" } }, LOCK, ['app depends on lib "^1.2.3", not on "1.2.3".']],
    [
      "a lock file of an earlier version",
      {},
      { packages: { "packages/lib": { name: "lib", version: "1.2.2" } } },
      ["package-lock.json has lib 1.2.2."],
    ],
    [
      "a lock file with addresses",
      {},
      { packages: { "node_modules/zod": { version: "4.0.0", resolved: "https://packages.example/zod.tgz" } } },
      ["package-lock.json names the address of 1 packages."],
    ],
  ])("%s", (_, change, lock, faults) => {
    expect(versionFaults([lib, { ...app, manifest: { ...app.manifest, ...change } }], lock)).toEqual(faults);
  });
});

describe("the changelog", () => {
  test("of this repository has a section with a date for the version", () => {
    const text = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
    // Between two releases, entries wait there.
    const released = text.replace(/^## Unreleased\n.*?(?=^## )/ms, "");
    expect(changelogFaults(released, PACKAGES[0]?.manifest.version ?? "")).toEqual([]);
  });

  test.each<[string, string, readonly string[]]>([
    ["the version on top", "## 1.2.3 (2026-02-28)\n\n- New.\n\n## 1.2.2\n", []],
    ["an empty Unreleased above it", "## Unreleased\n\n## 1.2.3 (2026-02-28)\n\n- New.\n", []],
    [
      "entries that are not released",
      "## Unreleased\n\n- More.\n\n## 1.2.3 (2026-02-28)\n\n- New.\n",
      ['There are entries under "Unreleased".'],
    ],
    ["no date", "## 1.2.3\n\n- New.\n", ['The newest section is not "## 1.2.3 (YYYY-MM-DD)".']],
    ["a day that does not exist", "## 1.2.3 (2026-02-30)\n\n- New.\n", ["2026-02-30 is not a day."]],
    ["another version", "## 1.2.2 (2026-02-28)\n\n- Old.\n", ['The newest section is not "## 1.2.3 (YYYY-MM-DD)".']],
    ["an empty section", "## 1.2.3 (2026-02-28)\n\n## 1.2.2\n\n- Old.\n", ["The section 1.2.3 is empty."]],
  ])("%s", (_, text, faults) => {
    expect(changelogFaults(`# Changelog\n\n${text}`, "1.2.3")).toEqual(faults);
  });
});

describe.runIf(hasProgram("tar"))("tarballs", { timeout: 600_000 }, () => {
  let sandbox: NpmSandbox;
  let packed: ReadonlyMap<string, Tarball>;

  beforeAll(async () => {
    sandbox = await NpmSandbox.open();
    packed = await sandbox.pack(ROOT, "tarballs", "--workspaces");
  }, 600_000);
  afterAll(() => sandbox.close());

  test.each(PACKAGES.map(({ manifest }) => manifest.name))(
    "%s has everything that it needs, and nothing of this machine",
    async (name) => {
      const { file, files } = packed.get(name) ?? { file: "", files: [] };
      const folder = await unpack(file, join(sandbox.dir, encodeURIComponent(name)));
      const paths = [ROOT.replace(/\/$/, ""), join(homedir(), "/")];
      const manifest = readJson(join(folder, "package.json"));
      expect(tarballFaults({ folder, files, manifest, paths, licence: LICENCE })).toEqual([]);
    },
  );

  test("what is missing, unwanted or local is named", () => {
    const contents = {
      "package.json": "{}",
      "README.md": "# other\n",
      LICENSE: "mine",
      "THIRD-PARTY-LICENSES.txt": "zod 4.6.7 (MIT)\n\ntext\n",
      "bundle/0a/package-zod-v3.cjs": "",
      "bundle/0a/package-zod.cjs": "",
      "bundle/0a/package-ws.cjs": "",
      "bundle/demo/test/shop.test.js": "",
      "dist/hooks.test.js": "",
      "dist/index.js.map": "",
      "dist/index.js": "// /home/kim/hookline/src/index.ts",
    };
    const faults = tarballFaults({
      folder: sandbox.folder("wrong", contents),
      files: Object.keys(contents),
      manifest: {
        name: "lib",
        version: "1.2.3",
        files: ["bundle"],
        bin: { lib: "bin/lib.js" },
        exports: { ".": { default: "./dist/index.js" } },
      },
      paths: ["/home/kim/hookline"],
      licence: LICENCE,
    });
    expect(faults).toEqual([
      "bin/lib.js is missing",
      "README.md is not about it",
      "LICENSE is not the one of the repository",
      "dist/hooks.test.js is a test",
      "dist/index.js.map is a source map",
      "dist/index.js names a folder of this machine",
      "THIRD-PARTY-LICENSES.txt does not have ws",
    ]);
  });

  test("a release has the native programs for every platform", () => {
    const manifest = { name: "lib", version: "1.2.3", files: ["dist", "native/hookline-spawn-*"] };
    const files = ["dist/index.js", "native/hookline-spawn-linux-x64"];
    expect(missingNative({ files, manifest })).toEqual(["native/hookline-spawn-linux-arm64 is missing"]);
    expect(missingNative({ files, manifest: { ...manifest, files: ["dist"] } })).toEqual([]);
    const client = { ...manifest, files: ["native/hookline-hook-*"] };
    expect(missingNative({ files: ["native/hookline-hook-darwin-arm64"], manifest: client })).toEqual(
      ["linux-x64", "linux-arm64", "darwin-x64"].map((platform) => `native/hookline-hook-${platform} is missing`),
    );
  });
});
