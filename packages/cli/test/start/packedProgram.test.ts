import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CodeCache } from "../../src/start/codeCache.ts";
import { PackedProgram } from "../../src/start/packedProgram.ts";

class TestPack {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-pack-")));

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
  }

  write(modules: Readonly<Record<string, string>>, file = "front.cjs"): void {
    const table = Object.entries(modules).map(
      ([name, body]) => `${JSON.stringify(name)}: function (exports, load) { ${body} }`,
    );
    writeFileSync(join(this.folder, file), `(function () { return { ${table.join(", ")} }; })`);
  }

  open(): PackedProgram {
    return new PackedProgram({
      folder: this.folder,
      filename: join(this.folder, "program.cjs"),
      require: createRequire(import.meta.url),
      importModule: (url) => import(url),
      cache: new CodeCache({ homeDir: this.folder, folder: "test", command: "main" }),
    });
  }
}

test("a module runs when it is first used, once", () => {
  const pack = new TestPack();
  pack.write({
    main: "exports.count = () => load('other').count;",
    other: "globalThis.runs = (globalThis.runs ?? 0) + 1; exports.count = globalThis.runs;",
  });
  const program = pack.open();
  const { count } = program.load("main");
  expect(program.modules).toEqual(["main"]);
  expect([count, count].map((call) => typeof call === "function" && call())).toEqual([1, 1]);
  expect(program.modules).toEqual(["main", "other"]);
});

test("a module that not every start needs is in the second script, which is read when such a module is used", () => {
  const pack = new TestPack();
  pack.write({ main: "exports.value = () => load('rest').value + load('other').value;", other: "exports.value = 1;" });
  const { value } = pack.open().load("main");
  pack.write({ rest: "exports.value = 4;" }, "program.cjs");
  expect(typeof value === "function" && value()).toBe(5);
});

test("a package has its own file, which is read when the package is used", () => {
  const pack = new TestPack();
  pack.write({ main: "exports.value = () => load('package-zod').value;" });
  const { value } = pack.open().load("main");
  pack.write({ "package-zod": "exports.value = 5;" }, "package-zod.cjs");
  expect(typeof value === "function" && value()).toBe(5);
});

test("code of a script that has changed since is not run, though it is as long", () => {
  const pack = new TestPack();
  pack.write({ main: "exports.value = 1;" });
  const first = pack.open();
  expect(first.load("main")).toEqual({ value: 1 });
  first.writeCache();
  pack.write({ main: "exports.value = 2;" });
  utimesSync(join(pack.folder, "front.cjs"), 1, 1);
  expect(pack.open().load("main")).toEqual({ value: 2 });
});

test("a module that is missing is named", () => {
  const pack = new TestPack();
  pack.write({ main: "load('gone');" });
  pack.write({}, "program.cjs");
  expect(() => pack.open().load("main")).toThrow("The program has no module gone.");
});
