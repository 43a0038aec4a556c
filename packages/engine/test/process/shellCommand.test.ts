import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findInPath, findShell, plainWords, toArgv } from "../../src/process/shellCommand.ts";
import { BUILTINS, KEYWORDS } from "../../src/process/shellNames.ts";

const PATH = process.env.PATH ?? "";
const bash = findInPath("bash", PATH);

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "shell-")));
  mkdirSync(join(folder, "bin/nested"), { recursive: true });
  mkdirSync(join(folder, "later"));
  const program = (name: string, content: string, mode: number) => {
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), mode);
  };
  program("bin/check", "#!/bin/sh\n", 0o755);
  program("bin/no-shebang", "echo hello\n", 0o755);
  program("bin/text", "#!/bin/sh\n", 0o644);
  program("later/text", "#!/bin/sh\n", 0o755);
  program("later/sh", "#!/bin/sh\n", 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("plainWords", () => {
  test.each([
    ["./hooks/check.sh", ["./hooks/check.sh"]],
    ["python3 hooks/x.py --level=3 a:b,c@d%e+f", ["python3", "hooks/x.py", "--level=3", "a:b,c@d%e+f"]],
    [" \tnode\t x.js \n", ["node", "x.js"]],
    ["check if then", ["check", "if", "then"]],
    ["=x", ["=x"]],
    ["", null],
    [" \n", null],
    ["a\nb", null],
    ["a\r", null],
    ["a\u00a0b", null],
    ["FOO=1 check", null],
    ["FOO+=1", null],
    ["check $HOME", null],
    ["check ~/x", null],
    ["check *.ts", null],
    ["check 'a' \"b c\" d\\ e", ["check", "a", "b c", "d e"]],
    ["'my hooks/check.sh' -v", ["my hooks/check.sh", "-v"]],
    ["check a 2>log", null],
    ["check a 2>log b", null],
    ['check "$HOME"', null],
    ["'true'", null],
    ["''", null],
    ["check && other", null],
    ["check # why", null],
    ["check {a,b}", null],
    ["time check", null],
    ["cd hooks", null],
    [". hooks/x.sh", null],
    ["true", null],
  ])("%j is %j", (text, expected) => {
    expect(plainWords(text)).toEqual(expected);
  });

  test("a real shell splits plain words just so", () => {
    const char = fc.constantFrom(..."aZ0_@%+=:,./- \t\n'\"\\$*~;<#");
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 12 }), (text) => {
        const found = plainWords(`check ${text}`);
        if (!found) return;
        const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' check ${text}`], { encoding: "utf8" });
        expect(printed).toBe(found.map((word) => `${word}\0`).join(""));
      }),
      { numRuns: 300 },
    );
  });

  test.skipIf(!bash && !process.env.CI)("no keyword or builtin of the installed bash is missing from the lists", () => {
    const list = (option: string) =>
      execFileSync(bash ?? "bash", ["-c", `compgen ${option}`], { encoding: "utf8" })
        .trim()
        .split("\n");
    expect(list("-k").filter((name) => !KEYWORDS.has(name))).toEqual([]);
    expect(list("-b").filter((name) => !BUILTINS.has(name))).toEqual([]);
  });
});

describe("findInPath and findShell", () => {
  test("the first executable file of that name is found, past folders, plain files and relative entries", () => {
    const path = ["", "bin", "/nonexistent", join(folder, "bin"), join(folder, "later")].join(":");
    expect(findInPath("check", path)).toBe(join(folder, "bin/check"));
    expect(findInPath("text", path)).toBe(join(folder, "later/text"));
    expect(findInPath("nested", path)).toBe(null);
    expect(findInPath("absent", path)).toBe(null);
    expect(findInPath("./check", path)).toBe(null);
    expect(findInPath("", path)).toBe(null);
    expect(findInPath("check", undefined)).toBe(null);
  });

  test("the shell is bash if there is one, else sh, else /bin/sh", () => {
    const both = join(folder, "both");
    mkdirSync(both);
    symlinkSync("/bin/sh", join(both, "bash"));
    symlinkSync("/bin/sh", join(both, "sh"));
    expect(findShell(`${join(folder, "later")}:${both}`)).toBe(join(both, "bash"));
    expect(findShell(join(folder, "later"))).toBe(join(folder, "later/sh"));
    expect(findShell(join(folder, "bin"))).toBe("/bin/sh");
    expect(findShell(undefined)).toBe("/bin/sh");
  });
});

describe("toArgv", () => {
  const shell = "/bin/bash";
  test.each<[string, (folder: string) => string[]]>([
    ["check a b", (at) => [`${at}/bin/check`, "a", "b"]],
    ["./hooks/check.sh a", () => ["./hooks/check.sh", "a"]],
    ["absent a", () => [shell, "-c", "absent a"]],
    ["check a | tee log", () => [shell, "-c", "check a | tee log"]],
    ["true", () => [shell, "-c", "true"]],
    ["no-shebang", () => [shell, "-c", "no-shebang"]],
    ["", () => [shell, "-c", ""]],
  ])("%j", (text, expected) => {
    expect(toArgv(text, { path: join(folder, "bin"), shell })).toEqual(expected(folder));
  });

  test("a compiled program is started directly, a script without interpreter by the shell that would read it", () => {
    expect(toArgv(process.execPath, { path: PATH, shell })).toEqual([process.execPath]);
    const script = join(folder, "bin/no-shebang");
    expect(toArgv(script, { path: PATH, shell })).toEqual([shell, "-c", script]);
  });
});
