import { execFile } from "node:child_process";
import { chmod, mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { oneHook, PROJECT_FILE, USER_FILE, type Workspace, workspace } from "./workspace.ts";

const run = promisify(execFile);

interface Fault {
  readonly fault: string;
  readonly make: (file: string, space: Workspace) => Promise<unknown>;
  readonly said: string;
}

const FAULTS: readonly Fault[] = [
  {
    fault: "an empty file",
    make: (_, { write }) => write({ [PROJECT_FILE]: "" }),
    said: ":1:1 error The file is empty.",
  },
  {
    fault: "a file of blanks",
    make: (_, { write }) => write({ [PROJECT_FILE]: " \n\n" }),
    said: ":1:1 error The file is empty.",
  },
  {
    fault: "a file that is not JSON",
    make: (_, { write }) => write({ [PROJECT_FILE]: '{\n  "hooks": {]\n}' }),
    said: ":2:13 error This is not JSON: property name expected.",
  },
  {
    fault: "text after the settings",
    make: (_, { write }) => write({ [PROJECT_FILE]: "{} {}" }),
    said: ":1:4 error This is not JSON: end of file expected.",
  },
  {
    fault: "a file of comments",
    make: (_, { write }) => write({ [PROJECT_FILE]: "// nothing yet\n" }),
    said: ":2:1 error This is not JSON: value expected.",
  },
  {
    fault: "a file that nests for ever",
    make: (_, { write }) => write({ [PROJECT_FILE]: "[".repeat(1_000_000) }),
    said: ":1:201 error The file nests deeper than 200 levels.",
  },
  {
    fault: "a file that is not text",
    make: (_, { write }) =>
      write({ [PROJECT_FILE]: "{}" }).then(() => overwrite(_, Buffer.from([0xff, 0xfe, 0x7b, 0]))),
    said: ":1:1 error The file is not UTF-8 text.",
  },
  {
    fault: "a list",
    make: (_, { write }) => write({ [PROJECT_FILE]: "[]" }),
    said: ":1:1 error A settings file must be an object, got [].",
  },
  {
    fault: "a file of 10 MB",
    make: (_, { write }) => write({ [PROJECT_FILE]: `{}${" ".repeat(10_000_000)}` }),
    said: " error The file has 9.5 MiB; the limit is 5 MiB.",
  },
  {
    fault: "a folder in place of the file",
    make: (file) => mkdir(file, { recursive: true }),
    said: " error This is a folder, not a file.",
  },
  { fault: "a link to itself", make: (file) => symlink(file, file), said: " error This link points back to itself." },
  {
    fault: "a link to nothing",
    make: (file) => symlink("nowhere.json", file),
    said: " error The target of this link does not exist.",
  },
  { fault: "a pipe", make: (file) => run("mkfifo", [file]), said: " error This is not a regular file." },
];

test.each(FAULTS)("$fault is one error, and the other files are loaded", async ({ make, said }) => {
  const space = await workspace({ [USER_FILE]: oneHook({ name: "mine" }) });
  const file = join(space.dir, PROJECT_FILE);
  await mkdir(dirname(file), { recursive: true });
  await make(file, space);
  const loaded = await space.load();
  expect(space.said(loaded.problems)).toEqual([`${PROJECT_FILE}${said}`]);
  expect(loaded.hooks.map(({ name }) => name)).toEqual(["mine"]);
  expect(loaded.problems[0]?.next).not.toBe("");
});

test("a file this user may not read is one error", async () => {
  const space = await workspace({ [PROJECT_FILE]: oneHook({}) });
  await chmod(space.dir, 0o755);
  await chmod(join(space.dir, PROJECT_FILE), 0o000);
  const root = process.getuid?.() === 0;
  // Root reads everything, so it is nobody for the moment.
  if (root) process.seteuid?.(65_534);
  try {
    const loaded = await space.load();
    expect(loaded.problems).toMatchObject([{ severity: "error", code: "CONFIG_UNREADABLE" }]);
  } finally {
    if (root) process.seteuid?.(0);
  }
});

test("the state of every file is told, in running order", async () => {
  const space = await workspace({
    [PROJECT_FILE]: "{",
    "project/.system/hooks/b.yml": "id: b\nevent_type: SessionStop\nhandler: { kind: script, command: 'true' }\n",
    "project/.system/hooks/a.yaml": "id: a\nevent_type: SessionStop\nhandler: { kind: script, command: 'true' }\n",
    "project/.system/hooks/README.md": "not a hook",
    [USER_FILE]: oneHook({ name: "mine" }),
    "home/.hookline/extensions/lint/hooks/hooks.json": oneHook({ name: "lint" }),
    "home/.hookline/extensions/.DS_Store": "",
  });
  const loaded = await space.load();
  expect(space.relative(loaded.layers)).toEqual([
    { source: "project", file: PROJECT_FILE, state: "broken", hooks: 0 },
    { source: "project", file: "project/.gemini/settings.json", state: "absent", hooks: 0 },
    { source: "project", file: "project/.system/hooks/a.yaml", state: "loaded", hooks: 1 },
    { source: "project", file: "project/.system/hooks/b.yml", state: "loaded", hooks: 1 },
    { source: "user", file: USER_FILE, state: "loaded", hooks: 1 },
    { source: "user", file: "home/.gemini/settings.json", state: "absent", hooks: 0 },
    { source: "system", file: "etc/settings.json", state: "absent", hooks: 0 },
    { source: "extensions", file: "home/.hookline/extensions/lint/hooks/hooks.json", state: "loaded", hooks: 1 },
  ]);
  expect(loaded.hooks.map(({ name }) => name)).toEqual(["a", "b", "mine", "lint"]);
  expect(space.relative(loaded.watch)).toEqual([
    PROJECT_FILE,
    "project/.gemini/settings.json",
    "project/.system/hooks/a.yaml",
    "project/.system/hooks/b.yml",
    USER_FILE,
    "home/.gemini/settings.json",
    "etc/settings.json",
    "home/.hookline/extensions/lint/hooks/hooks.json",
    "project/.system/hooks",
    "home/.hookline/extensions",
    "home/.gemini/extensions",
  ]);
});

test("a file in place of the folder of YAML hooks is one error", async () => {
  const space = await workspace({ "project/.system/hooks": "not a folder" });
  const { problems } = await space.load();
  expect(space.relative(problems)).toMatchObject([
    { severity: "error", code: "CONFIG_UNREADABLE", where: { file: "project/.system/hooks" } },
  ]);
});

test("extensions are the ones given, and only the active ones", async () => {
  const space = await workspace({
    "x/on/hooks/hooks.json": oneHook({ name: "on" }),
    "x/off/hooks/hooks.json": oneHook({ name: "off" }),
    "home/.hookline/extensions/installed/hooks/hooks.json": oneHook({ name: "installed" }),
  });
  const { hooks } = await space.load({
    extensions: [
      { name: "on", path: join(space.dir, "x/on"), isActive: true },
      { name: "off", path: join(space.dir, "x/off"), isActive: false },
    ],
  });
  expect(hooks.map(({ name, source }) => ({ name, source }))).toEqual([{ name: "on", source: "extensions" }]);
});

async function overwrite(file: string, bytes: Uint8Array): Promise<void> {
  const { writeFile } = await import("node:fs/promises");
  await rm(file);
  await writeFile(file, bytes);
}
