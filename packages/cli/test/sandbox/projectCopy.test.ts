import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BOUNDS } from "../../src/sandbox/bounds.ts";
import { type CopyOptions, copyProject } from "../../src/sandbox/projectCopy.ts";
import { hasProgram } from "../support/programs.ts";

const HAS_GIT = hasProgram("git");

/** A project with these files, and nothing around it. */
function project(files: Readonly<Record<string, string>>): string {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "hookline-sandbox-test-"))), "shop");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  onTestFinished(() => rmSync(dirname(root), { recursive: true, force: true }));
  return root;
}

async function copyOf(root: string, options: CopyOptions = {}) {
  const copy = await copyProject(root, options);
  onTestFinished(() => copy.dispose());
  return copy;
}

/** Files and links, without what git keeps for itself. */
function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
}

function git(root: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8" });
}

test("a copy has the project's files with their modes and its name, and is gone once it is disposed of", async () => {
  const root = project({ "src/a.ts": "a", "run.sh": "#!/bin/sh\n", "empty.txt": "" });
  chmodSync(join(root, "run.sh"), 0o755);
  const copy = await copyOf(root);
  expect(filesOf(copy.root)).toEqual(["empty.txt", "run.sh", "src/a.ts"]);
  expect(basename(copy.root)).toBe("shop");
  expect(readFileSync(join(copy.root, "src/a.ts"), "utf8")).toBe("a");
  expect(lstatSync(join(copy.root, "run.sh")).mode & 0o777).toBe(0o755);
  expect(lstatSync(dirname(copy.root)).mode & 0o077).toBe(0);
  expect(copy.notices).toEqual([]);
  copy.dispose();
  expect(existsSync(dirname(copy.root))).toBe(false);
});

test("a copy is always a project of its own: what lies around it in the temporary folder is nothing to it", async () => {
  const copy = await copyOf(project({ "a.txt": "" }));
  expect(lstatSync(join(copy.root, ".hookline")).isDirectory()).toBe(true);
});

test("the program's own stores and sessions are not copied", async () => {
  const own = ["journal.db", "journal.db-wal", "tasks.db", "sessions/one.jsonl"].map((name) => `.hookline/${name}`);
  const files = Object.fromEntries(
    [...own, ".hookline/settings.json", ".hookline/notes.db"].map((path) => [path, "x"]),
  );
  const copy = await copyOf(project(files));
  expect(filesOf(copy.root)).toEqual([".hookline/notes.db", ".hookline/settings.json"]);
});

describe("installed packages", () => {
  const PACKAGES = {
    "a.ts": "",
    "node_modules/left/index.js": "left",
    "node_modules/left/node_modules/inner/index.js": "inner",
    "node_modules/@scope/up/index.js": "up",
    "node_modules/.cache/tool/x": "",
    "node_modules/.package-lock.json": "{}",
    "node_modules/.bin/other": "",
    "packages/b/b.ts": "",
    "packages/b/node_modules/right/index.js": "right",
  };
  const FOLDERS = ["node_modules/left", "node_modules/@scope/up", "packages/b/node_modules/right"];

  test("are copied, without the caches beside them", async () => {
    const root = project(PACKAGES);
    symlinkSync("../left/index.js", join(root, "node_modules/.bin/left"));
    const copy = await copyOf(root);
    const files = Object.keys(PACKAGES).filter((path) => !path.includes(".cache"));
    expect(filesOf(copy.root)).toEqual([...files, "node_modules/.bin/left"].sort());
    for (const path of FOLDERS) expect(lstatSync(join(copy.root, path)).isDirectory()).toBe(true);
    expect(readlinkSync(join(copy.root, "node_modules/.bin/left"))).toBe("../left/index.js");
    expect(readdirSync(join(copy.root, "node_modules/.cache"))).toEqual([]);
    expect(copy.notices).toEqual([]);
  });

  test("with too many empty folders are linked as well", async () => {
    const root = project(PACKAGES);
    for (let n = 0; n < 30; n++) mkdirSync(join(root, `node_modules/left/empty/${n}`), { recursive: true });
    const copy = await copyOf(root, { bounds: { ...BOUNDS, maxPackageFiles: 25 } });
    expect(readlinkSync(join(copy.root, "node_modules/left"))).toBe(join(root, "node_modules/left"));
    expect(copy.notices).toEqual([expect.stringContaining("are more than 25 files")]);
  });

  test.each([
    ["files", { maxPackageFiles: 5 }, "5 files or 50 MiB"],
    ["bytes", { maxPackageBytes: 10 }, "2000 files or 10 B"],
  ])(
    "with too many %s are linked one by one, in a folder that is the copy's, and that is said",
    async (_, bound, text) => {
      const root = project(PACKAGES);
      symlinkSync("../left/index.js", join(root, "node_modules/.bin/left"));
      const copy = await copyOf(root, { bounds: { ...BOUNDS, ...bound } });
      for (const path of FOLDERS) expect(readlinkSync(join(copy.root, path))).toBe(join(root, path));
      expect(readlinkSync(join(copy.root, "node_modules/.bin/left"))).toBe("../left/index.js");
      expect(readlinkSync(join(copy.root, "node_modules/.bin/other"))).toBe(join(root, "node_modules/.bin/other"));
      expect(readFileSync(join(copy.root, "node_modules/.package-lock.json"), "utf8")).toBe("{}");
      const own = ["node_modules", "node_modules/@scope", "node_modules/.cache", "packages/b/node_modules"];
      for (const path of own) expect(lstatSync(join(copy.root, path)).isDirectory()).toBe(true);
      expect(readdirSync(join(copy.root, "node_modules/.cache"))).toEqual([]);
      expect(copy.notices).toEqual([
        `the packages in node_modules, packages/b/node_modules are more than ${text}: the copy links to them, and a hook that writes into a package changes the original`,
      ]);
    },
  );

  test("in a node_modules that lies outside of the project are linked, and that is said", async () => {
    const root = project({ "a.ts": "" });
    mkdirSync(join(dirname(root), "main/node_modules/left"), { recursive: true });
    symlinkSync("../main/node_modules", join(root, "node_modules"));
    const copy = await copyOf(root);
    expect(lstatSync(join(copy.root, "node_modules")).isDirectory()).toBe(true);
    expect(readlinkSync(join(copy.root, "node_modules/left"))).toBe(join(dirname(root), "main/node_modules/left"));
    expect(copy.notices).toEqual([
      "the packages in node_modules are outside the project: the copy links to them, and a hook that writes into a package changes the original",
    ]);
  });

  test("can be links to each other, to the project and to nothing", async () => {
    const root = project({ "a.ts": "", "node_modules/.store/left/index.js": "left", "packages/b/b.ts": "" });
    const links = { left: ".store/left", shop: "..", b: "../packages/b", gone: "../nothing" };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(root, "node_modules", name));
    symlinkSync("../../node_modules", join(root, "packages/b/node_modules"));
    const copy = await copyOf(root);
    const { gone: _, ...kept } = links;
    const copied = Object.keys(kept).map((name) => [name, readlinkSync(join(copy.root, "node_modules", name))]);
    expect(Object.fromEntries(copied)).toEqual(kept);
    expect(existsSync(join(copy.root, "node_modules/gone"))).toBe(false);
    expect(realpathSync(join(copy.root, "packages/b/node_modules/left"))).toBe(
      join(copy.root, "node_modules/.store/left"),
    );
    expect(copy.notices).toEqual([]);
  });
});

test("links inside are copied as links, and lead nowhere but into the copy; others are left out and named", async () => {
  const root = project({ "src/a.ts": "a", "lib/b.ts": "b", "node_modules/tool/bin.js": "" });
  symlinkSync("../src/a.ts", join(root, "lib/a.ts"));
  symlinkSync(join(root, "src"), join(root, "source"));
  symlinkSync("node_modules/../src/a.ts", join(root, "around.ts"));
  symlinkSync("node_modules/tool/bin.js", join(root, "tool.js"));
  symlinkSync("nothing", join(root, "dangling"));
  symlinkSync("/etc/hosts", join(root, "hosts"));
  symlinkSync("../..", join(root, "up"));
  const copy = await copyOf(root);
  const links = ["lib/a.ts", "source", "around.ts", "tool.js", "dangling"];
  expect(links.map((path) => readlinkSync(join(copy.root, path)))).toEqual([
    "../src/a.ts",
    "src",
    "src/a.ts",
    "node_modules/tool/bin.js",
    "nothing",
  ]);
  expect([...copy.notices].sort()).toEqual([
    "hosts is a link to a target outside the project; the copy does not have it",
    "up is a link to a target outside the project; the copy does not have it",
  ]);
});

test("a program that hooks start is reached through links, wherever they lead, except back around the project", async () => {
  const root = project({ "a.txt": "", "build/guard.sh": "" });
  const outside = join(dirname(root), "outside");
  mkdirSync(join(outside, "hooks"), { recursive: true });
  for (const name of ["guard.sh", "hooks/other.sh"]) writeFileSync(join(outside, name), "");
  symlinkSync("../outside/guard.sh", join(root, "guard.sh"));
  symlinkSync("../outside/hooks", join(root, "hooks"));
  symlinkSync("..", join(root, "up"));
  const copy = await copyOf(root, { started: ["guard.sh", "hooks/other.sh", "up/outside/guard.sh"] });
  expect(readlinkSync(join(copy.root, "guard.sh"))).toBe(join(outside, "guard.sh"));
  expect(readlinkSync(join(copy.root, "hooks"))).toBe(join(outside, "hooks"));
  expect(copy.notices).toEqual(["up is a link to a target outside the project; the copy does not have it"]);
});

test("environments of Python are linked like other installed packages, under whatever name", async () => {
  const root = project({ "a.py": "", "tools/env/pyvenv.cfg": "", "tools/env/lib/site.py": "", "tools/b.py": "" });
  const elsewhere = join(dirname(root), "env");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "pyvenv.cfg"), "");
  symlinkSync("../env", join(root, ".venv"));
  const copy = await copyOf(root, { started: ["tools/env/lib/site.py"] });
  expect(filesOf(copy.root)).toEqual([".venv", "a.py", "tools/b.py", "tools/env"]);
  expect(readlinkSync(join(copy.root, "tools/env"))).toBe(join(root, "tools/env"));
  expect(readlinkSync(join(copy.root, ".venv"))).toBe(elsewhere);
  expect(copy.notices).toEqual([]);
});

test.each([
  ["files", { maxFiles: 2 }, "3 files or more, 6 B in total; at most 2 files with 1 GiB are copied."],
  ["bytes", { maxBytes: 5 }, "3 files or more, 6 B in total; at most 50000 files with 5 B are copied."],
])(
  "a project with too many %s is refused, with its size and a way out, and nothing is left",
  async (_, bound, text) => {
    const root = project({ "a.txt": "123", "b.txt": "45", "c/d.txt": "6" });
    const before = temporaryCopies();
    const refused = copyProject(root, { bounds: { ...BOUNDS, ...bound }, next: "Go elsewhere." });
    await expect(refused).rejects.toMatchObject({
      code: "COPY_REFUSED",
      what: `The project has ${text}`,
      next: "Go elsewhere.",
      where: { file: root },
    });
    expect(temporaryCopies().filter((name) => !before.includes(name))).toEqual([]);
  },
);

test("a copy can be given up, and folders that nobody may write to are removed with it", async () => {
  const root = project({ "a.txt": "" });
  await expect(copyProject(root, { signal: AbortSignal.abort() })).rejects.toThrow("Interrupted");
  const copy = await copyProject(root);
  mkdirSync(join(copy.root, "locked/deep"), { recursive: true });
  chmodSync(join(copy.root, "locked"), 0o500);
  copy.dispose();
  expect(existsSync(dirname(copy.root))).toBe(false);
});

function temporaryCopies(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("hookline-copy-"));
}

describe.runIf(HAS_GIT)("of a git repository", () => {
  function repository(files: Readonly<Record<string, string>>): string {
    const root = project(files);
    git(root, "init", "-q");
    return root;
  }

  test("has what git has or would add, hook settings, and what is asked for besides", async () => {
    const root = repository({
      ".gitignore": "dist\n.env\n.hookline\nhooks/built.sh\n",
      "a.txt": "committed",
      "gone.txt": "",
      "dist/big.js": "",
      ".env": "KEY=1",
      ".hookline/settings.json": "{}",
      "hooks/built.sh": "",
    });
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "one");
    rmSync(join(root, "gone.txt"));
    writeFileSync(join(root, "new ünd 'odd\n.txt"), "untracked");
    const copy = await copyOf(root, { started: ["hooks/built.sh"] });
    expect(filesOf(copy.root)).toEqual(
      [".gitignore", ".hookline/settings.json", "a.txt", "hooks/built.sh", "new ünd 'odd\n.txt"].sort(),
    );
    expect(copy.notices).toEqual(["git ignores .env, dist; the copy does not have them"]);
  });

  test("is one of its own: a commit there is none of the original", async () => {
    const root = repository({ "a.txt": "a" });
    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "one");
    writeFileSync(join(root, "a.txt"), "changed");
    const copy = await copyOf(root);
    expect(git(copy.root, "status", "--porcelain")).toBe(" M a.txt\n");
    git(copy.root, "commit", "-q", "-a", "-m", "two");
    expect([git(copy.root, "rev-list", "--count", "HEAD"), git(root, "rev-list", "--count", "HEAD")]).toEqual([
      "2\n",
      "1\n",
    ]);
    expect(git(root, "status", "--porcelain")).toBe(" M a.txt\n");
  });

  test("is without a repository that is large or lies elsewhere, and says so", async () => {
    const root = repository({ "a.txt": "a" });
    const small = await copyOf(root, { bounds: { ...BOUNDS, maxGitBytes: 10 } });
    expect(small.notices).toEqual([".git is larger than 10 B; the copy is not a repository"]);
    expect(existsSync(join(small.root, ".git"))).toBe(false);

    git(root, "add", ".");
    git(root, "commit", "-q", "-m", "one");
    const linked = join(dirname(root), "linked");
    git(root, "worktree", "add", "-q", linked);
    const other = await copyOf(linked);
    expect(other.notices).toEqual([".git is a link to a repository elsewhere; the copy is not a repository"]);
    expect(filesOf(other.root)).toEqual(["a.txt"]);

    git(root, "config", "core.worktree", linked);
    expect((await copyOf(root)).notices).toEqual([".git has its work tree elsewhere; the copy is not a repository"]);
  });

  test("has what was built together with a program that hooks start, and environments of Python", async () => {
    const root = repository({
      ".gitignore": "dist\n.venv\n*.local\n",
      "dist/hooks/guard.js": "import '../lib.js'",
      "dist/lib.js": "",
      ".venv/pyvenv.cfg": "",
      "bin/readme.txt": "",
      "a.local": "",
      "b.local": "",
    });
    symlinkSync("../dist/hooks/guard.js", join(root, "bin/guard"));
    const copy = await copyOf(root, { started: ["bin/guard"] });
    const always = [".gitignore", ".venv", "bin/guard", "bin/readme.txt"];
    expect(filesOf(copy.root)).toEqual([...always, "dist/hooks/guard.js", "dist/lib.js"]);
    expect(copy.notices).toEqual(["git ignores a.local, b.local; the copy does not have them"]);

    const tight = await copyOf(root, { started: ["bin/guard"], bounds: { ...BOUNDS, maxBuiltFiles: 1 } });
    expect(filesOf(tight.root)).toEqual([...always, "dist/hooks/guard.js"]);
    const none = await copyOf(root, { started: ["bin/guard"], bounds: { ...BOUNDS, maxBuiltBytes: 1 } });
    expect(filesOf(none.root)).toEqual([...always, "dist/hooks/guard.js"]);
    expect(none.notices).toContain(
      "git ignores dist, which is large; the copy has only the programs in it that hooks start",
    );
  });

  test("has what a package of a workspace was built to, though git ignores it", async () => {
    const root = repository({
      ".gitignore": "dist\nnode_modules\n",
      "dist/a.js": "",
      "packages/b/package.json": "{}",
      "packages/b/dist/b.js": "",
      "packages/b/node_modules/c/c.js": "",
      "node_modules/left/index.js": "",
    });
    symlinkSync("../packages/b", join(root, "node_modules/b"));
    const copy = await copyOf(root);
    expect(filesOf(copy.root)).toEqual(
      [
        ".gitignore",
        "node_modules/b",
        "node_modules/left/index.js",
        "packages/b/package.json",
        "packages/b/dist/b.js",
        "packages/b/node_modules/c/c.js",
      ].sort(),
    );
    expect(copy.notices).toEqual(["git ignores dist; the copy does not have it"]);
  });

  test("names a few of the things that git ignores, and counts the others", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const files = Object.fromEntries([...names, "deep/h"].map((name) => [`${name}.local`, ""]));
    const copy = await copyOf(repository({ ".gitignore": "*.local\n", "deep/kept.txt": "", ...files }));
    expect(copy.notices).toEqual([
      "git ignores a.local, b.local, c.local, d.local, e.local and 2 more; the copy does not have them",
    ]);
  });

  test("is without a repository that the project is only a part of, and says so", async () => {
    const root = repository({ "pkg/.hookline/settings.json": "{}", "pkg/a.txt": "" });
    const copy = await copyOf(join(root, "pkg"));
    expect(copy.notices).toEqual([`.git is in a parent folder, ${root}; the copy is not a repository`]);
  });

  test("has no files from behind a link that stands in the place of a folder", async () => {
    const root = repository({ "data/a.txt": "mine" });
    git(root, "add", ".");
    rmSync(join(root, "data"), { recursive: true });
    mkdirSync(join(dirname(root), "outside"));
    writeFileSync(join(dirname(root), "outside/a.txt"), "not mine");
    symlinkSync("../outside", join(root, "data"));
    const copy = await copyOf(root);
    expect([filesOf(copy.root), copy.notices]).toEqual([
      [],
      ["data is a link to a target outside the project; the copy does not have it"],
    ]);
  });

  test("has the files of a repository inside of it", async () => {
    const root = repository({ "a.txt": "" });
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/b.txt"), "");
    git(join(root, "inner"), "init", "-q");
    git(join(root, "inner"), "add", ".");
    git(join(root, "inner"), "commit", "-q", "-m", "one");
    expect(filesOf((await copyOf(root)).root)).toEqual(["a.txt", "inner/b.txt"]);
  });
});
