import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LineSearch } from "../../src/tools/lineSearch.ts";
import { Sandbox, toolNamed } from "./sandbox.ts";

const PROJECT = {
  ".gitignore": "*.log\n/dist/\n!keep.log\n",
  "README.md": "needle here\n",
  "keep.log": "needle\n",
  "trace.log": "needle\n",
  "dist/out.js": "needle\n",
  "src/a.ts": "const a = 1;\nconst Needle = 2;\n",
  "src/b.ts": "nothing\r\nneedle with windows ends\r\n",
  "src/generated/.gitignore": "*\n!wanted.ts\n",
  "src/generated/c.ts": "needle\n",
  "src/generated/wanted.ts": "needle\n",
  "node_modules/x/index.js": "needle\n",
  ".git/config": "needle\n",
};

/** The project, with links out of it and in circles. */
function project(): Sandbox {
  const sandbox = new Sandbox(PROJECT);
  symlinkSync(sandbox.outside, sandbox.path("src/out"));
  symlinkSync("..", sandbox.path("src/circle"));
  return sandbox;
}

describe("list_directory", () => {
  test("lists folders first, then files, and says how much is hidden", async () => {
    const sandbox = project();
    expect(await sandbox.call("list_directory", { dir_path: "." })).toEqual({
      llmContent:
        ". contains:\n[DIR] src\n.gitignore\nREADME.md\nkeep.log\n[4 ignored by git or by default are not shown]",
      returnDisplay: "4 entries in .",
    });
    expect(await sandbox.answer("list_directory", { dir_path: "src" })).toBe(
      "src contains:\n[DIR] generated\na.ts\nb.ts\ncircle (link)\nout (link)",
    );
  });

  test("shows all on request, leaves out patterns, and looks into an ignored folder that is named", async () => {
    const sandbox = project();
    const all = { dir_path: ".", respect_git_ignore: false, ignore: ["*.{log,md}", ".git*"] };
    expect(await sandbox.answer("list_directory", all)).toBe(". contains:\n[DIR] dist\n[DIR] node_modules\n[DIR] src");
    expect(await sandbox.answer("list_directory", { dir_path: "dist" })).toBe("dist contains:\nout.js");
  });

  test("says that a folder is empty, missing, or a file", async () => {
    const sandbox = project();
    mkdirSync(sandbox.path("empty"));
    const answer = (dir_path: string) => sandbox.answer("list_directory", { dir_path });
    expect(await answer("empty")).toBe("empty has nothing to show.");
    expect(await answer("missing")).toBe("missing does not exist.");
    expect(await answer("README.md")).toBe("README.md is not a folder.");
  });

  test("cuts a long list", async () => {
    const files = Array.from({ length: 1_005 }, (_, index) => [`many/${index}`, ""]);
    const answer = await new Sandbox(Object.fromEntries(files)).answer("list_directory", { dir_path: "many" });
    expect(answer.endsWith("\n[5 more are not shown]")).toBe(true);
  });
});

describe("glob", () => {
  test("finds files by pattern, the newest first, and neither ignored ones nor those behind links", async () => {
    const sandbox = project();
    utimesSync(sandbox.path("src/a.ts"), 2_000, 2_000);
    utimesSync(sandbox.path("src/b.ts"), 3_000, 3_000);
    utimesSync(sandbox.path("src/generated/wanted.ts"), 1_000, 1_000);
    expect(await sandbox.call("glob", { pattern: "**/*.TS" })).toEqual({
      llmContent: "3 files match **/*.TS in ., newest first:\nsrc/b.ts\nsrc/a.ts\nsrc/generated/wanted.ts",
      returnDisplay: "3 files match **/*.TS in .",
    });
    expect(await sandbox.answer("glob", { pattern: "*.TS", dir_path: "src", case_sensitive: true })).toBe(
      "No file matches *.TS in src.",
    );
    expect(await sandbox.answer("glob", { pattern: "**/*.js", respect_git_ignore: false })).toBe(
      "1 file matches **/*.js in ., newest first:\ndist/out.js",
    );
  });

  test("takes parentheses as they are", async () => {
    const sandbox = new Sandbox({ "app/(shop)/page.tsx": "", "app/shop/page.tsx": "" });
    expect(await sandbox.answer("glob", { pattern: "app/(shop)/*.tsx" })).toContain("\napp/(shop)/page.tsx");
    expect(await sandbox.answer("glob", { pattern: "app/\\(shop\\)/*.tsx" })).toContain("\napp/(shop)/page.tsx");
  });

  test.each([
    ["../**", "leads out of the folder"],
    ["/etc/*", "leads out of the folder"],
    ["a/../../b", "leads out of the folder"],
    ["+(a|aa)b", "is an extended glob"],
    ["*.@(ts|tsx)", "write {a,b}"],
    ["{a,b}".repeat(20), "has too many alternatives"],
    ["a".repeat(501), "is longer than 500 characters"],
    ["a\0", "contains a NUL character"],
  ])("refuses the pattern %j", async (pattern, why) => {
    expect(await new Sandbox().validate("glob", { pattern })).toContain(why);
  });

  test.each([
    "(a+)+b",
    `${"*a".repeat(100)}b`,
    "**/a".repeat(100),
    "[a-z]+[a-z]+[a-z]+[a-z]+[a-z]+b",
    "*a*a*b",
    "{a,aa}{a,aa}{a,aa}{a,aa}b",
  ])("is not held up by %s and a long name", async (pattern) => {
    const sandbox = new Sandbox({ ["a".repeat(250)]: "" });
    expect(await sandbox.answer("glob", { pattern })).toContain("No file matches");
  });

  test("is not held up by a .gitignore made for that", async () => {
    const sandbox = new Sandbox({
      ".gitignore": `${"*a".repeat(30)}b\n${"**/a/".repeat(20)}b\n*a*b\n*.log\n`,
      ["a".repeat(250)]: "",
      [`${"a/".repeat(300)}a`]: "",
      "x.log": "",
    });
    expect(await sandbox.answer("glob", { pattern: "**" })).toMatch(/^3 files match/);
  });

  test("shows at most 1,000 and stops when it is cancelled", async () => {
    const files = Array.from({ length: 1_005 }, (_, index) => [`many/${index}.txt`, ""]);
    const sandbox = new Sandbox(Object.fromEntries(files));
    const answer = await sandbox.answer("glob", { pattern: "**" });
    expect(answer.endsWith("\n[5 more are not shown; use a narrower pattern]")).toBe(true);
    const controller = new AbortController();
    const search = toolNamed("glob").execute({ pattern: "**" }, sandbox.context({ signal: controller.signal }));
    controller.abort();
    await expect(search).rejects.toBe(controller.signal.reason);
  });
});

describe("grep_search", () => {
  test("finds lines with their places, by file, and neither ignored ones nor those behind links", async () => {
    const sandbox = project();
    expect(await sandbox.call("grep_search", { pattern: "needle" })).toEqual({
      llmContent: [
        "5 lines match needle in .:",
        "README.md:1: needle here",
        "keep.log:1: needle",
        "src/a.ts:2: const Needle = 2;",
        "src/b.ts:2: needle with windows ends",
        "src/generated/wanted.ts:1: needle",
      ].join("\n"),
      returnDisplay: "5 lines match needle in .",
    });
  });

  test("searches one folder, files of one kind, or with case", async () => {
    const sandbox = project();
    const answer = (more: object) => sandbox.answer("grep_search", { pattern: "^const \\w+", ...more });
    expect(await answer({ dir_path: "src", include: "*.ts" })).toBe(
      "2 lines match ^const \\w+ in src:\nsrc/a.ts:1: const a = 1;\nsrc/a.ts:2: const Needle = 2;",
    );
    expect(await answer({ include: "*.md" })).toBe("No line matches ^const \\w+ in ..");
    expect(await answer({ pattern: "needle", case_sensitive: true, include: "src/*.ts" })).toBe(
      "1 line matches needle in .:\nsrc/b.ts:2: needle with windows ends",
    );
  });

  test("passes over binary files and files over 5 MB, and says so of the large ones", async () => {
    const sandbox = new Sandbox({
      "a.bin": Buffer.from("needle\0"),
      "large.txt": Buffer.alloc(5 * 1024 * 1024 + 1, "needle\n"),
      "z.txt": "needle",
    });
    expect(await sandbox.answer("grep_search", { pattern: "needle" })).toBe(
      "1 line matches needle in .:\nz.txt:1: needle\n[Too large to search: large.txt]",
    );
  });

  test("is cut after 500 lines or 64 KB, and a long line is cut", async () => {
    const sandbox = new Sandbox({ "lines.txt": "x\n".repeat(600), "long.txt": `${"y".repeat(5_000)}\n`.repeat(300) });
    const lines = await sandbox.answer("grep_search", { pattern: "x" });
    expect(lines.split("\n")).toHaveLength(502);
    expect(lines.endsWith("[The search was cut short: there are more matches.]")).toBe(true);
    const long = await sandbox.answer("grep_search", { pattern: "y", include: "long.txt" });
    expect(long.length).toBeLessThan(68_000);
    expect(long).toContain(`long.txt:1: ${"y".repeat(500)}\n`);
  });

  test("refuses what is no regular expression", async () => {
    expect(await new Sandbox().validate("grep_search", { pattern: "(" })).toContain(
      "`pattern` is not a JavaScript regular expression: Invalid regular expression: /(/",
    );
  });

  test("can be cancelled while an expression runs without end", async () => {
    const sandbox = new Sandbox({ "a.txt": `${"a".repeat(40)}b` });
    const controller = new AbortController();
    const context = sandbox.context({ signal: controller.signal });
    const search = toolNamed("grep_search").execute({ pattern: "(a+)+$" }, context);
    setTimeout(() => controller.abort(), 300);
    await expect(search).rejects.toMatchObject({ name: "AbortError" });
  });

  test("gives up on an expression that runs without end, and keeps what was found before", async () => {
    const sandbox = new Sandbox({ "1.txt": "aaa", "2.txt": `${"a".repeat(40)}b` });
    expect(await sandbox.answer("grep_search", { pattern: "(a+)+$" })).toBe(
      "1 line matches (a+)+$ in .:\n1.txt:1: aaa\n[The search was cut short: the expression takes too long on 2.txt; use a simpler one.]",
    );
  }, 60_000);
});

test("a search that is given up leaves no thread behind", async () => {
  const search = new LineSearch({ pattern: "(a+)+$", caseSensitive: true, limitMs: 300, signal: undefined });
  expect(await search.search(`${"a".repeat(40)}b`, 10)).toBe("tooSlow");
  await search.close(); // would never come to an end if the thread could not be ended
});

test("a search that was cancelled before it began does not begin", async () => {
  const signal = AbortSignal.abort();
  const search = new LineSearch({ pattern: "(a+)+$", caseSensitive: true, limitMs: 60_000, signal });
  await expect(search.search(`${"a".repeat(40)}b`, 10)).rejects.toMatchObject({ name: "AbortError" });
  await search.close();
});
