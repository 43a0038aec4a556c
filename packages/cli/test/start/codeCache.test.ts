import {
  chmodSync,
  chownSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  cachedModules,
  cachedScript,
  cacheFolder,
  copyCache,
  frontFile,
  uncachedMachine,
  writePoison,
} from "../support/codeCache.ts";
import type { Machine } from "../support/machine.ts";

const VERSION = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" };
/** The file for starts that name no command. */
const NAME = frontFile("other");
const IS_ROOT = process.getuid?.() === 0;

const start = (machine: Machine, env: Record<string, string> = {}) => machine.cli(["--version"], { env });

async function startedBefore(): Promise<Machine> {
  const machine = uncachedMachine();
  expect(await start(machine)).toEqual(VERSION);
  return machine;
}

const file = (machine: Machine) => join(cacheFolder(machine), NAME);

test("the first start writes what was compiled, for its user only, and the next one reads it", async () => {
  const machine = await startedBefore();
  const modes = [file(machine), cacheFolder(machine), dirname(cacheFolder(machine))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o700, 0o700]);
  const { ino } = statSync(file(machine));
  expect(await start(machine)).toEqual(VERSION);
  expect(statSync(file(machine)).ino).toBe(ino);
  writePoison(machine, NAME);
  expect(await start(machine)).toEqual({ code: 7, stdout: "POISON", stderr: "" });
});

test("a command that needs more than before adds it", async () => {
  const machine = await startedBefore();
  const before = cachedScript(machine, NAME)?.modules ?? [];
  expect((await machine.cli(["help", "run"])).code).toBe(0);
  expect((await machine.cli(["no-such-command"])).code).toBe(1);
  const after = cachedScript(machine, NAME)?.modules ?? [];
  expect(after).toEqual(expect.arrayContaining([...before]));
  expect(after).toContain("cli-terminal-table");
  expect(cachedModules(machine, "other")).toEqual(expect.arrayContaining([...after, "cli-terminal-errorReport"]));
});

describe("is not run, and is written again, where", () => {
  const changes: Readonly<Record<string, (machine: Machine) => void>> = {
    "a bit of it has changed": (machine) => {
      const bytes = readFileSync(file(machine));
      bytes[bytes.length >> 2] = (bytes[bytes.length >> 2] ?? 0) ^ 1;
      writeFileSync(file(machine), bytes);
    },
    "a part of it is missing": (machine) =>
      writeFileSync(file(machine), readFileSync(file(machine)).subarray(0, 4_096)),
    "it is empty": (machine) => writeFileSync(file(machine), ""),
    "it holds nothing but zeros, as after a crash of the machine": (machine) =>
      writeFileSync(file(machine), Buffer.alloc(statSync(file(machine)).size)),
    "it was made for another folder": (machine) => writePoison(machine, NAME, "1-2-3"),
    "others may read or write it": (machine) => {
      writePoison(machine, NAME);
      chmodSync(file(machine), 0o660);
    },
    "it is a link": (machine) => {
      writePoison(machine, NAME);
      renameSync(file(machine), join(machine.dir, "elsewhere"));
      symlinkSync(join(machine.dir, "elsewhere"), file(machine));
    },
    "it has a second name": (machine) => {
      writePoison(machine, NAME);
      linkSync(file(machine), join(machine.dir, "elsewhere"));
    },
    "it was compiled with other options of V8": (machine) => {
      const bytes = readFileSync(file(machine));
      const at = bytes.length / 2;
      // The hash of the options is in the third word of V8's data, which both halves of the file have.
      const start = 8 + bytes.readUInt32LE();
      for (const offset of [start + 12, at + start + 12]) bytes[offset] = (bytes[offset] ?? 0) ^ 1;
      writeFileSync(file(machine), bytes);
    },
  };

  test.each(Object.keys(changes))("%s", async (what) => {
    const machine = await startedBefore();
    changes[what]?.(machine);
    const changed = readFileSync(file(machine));
    expect(await start(machine)).toEqual(VERSION);
    expect(readFileSync(file(machine)).equals(changed)).toBe(false);
    expect(cachedScript(machine, NAME)?.modules).toContain("cli-program");
    expect(statSync(file(machine))).toMatchObject({ nlink: 1 });
  });

  test("it came from another home, as with a clone that is a home folder", async () => {
    const [theirs, mine] = [await startedBefore(), uncachedMachine()];
    writePoison(theirs, NAME);
    copyCache(theirs, mine, NAME);
    expect(await start(mine)).toEqual(VERSION);
    expect(cachedScript(mine, NAME)?.modules).toContain("cli-program");
  });
});

describe("is neither read nor written where its folder", () => {
  const changes: Readonly<Record<string, (folder: string) => void>> = {
    "can be written by others": (folder) => chmodSync(folder, 0o770),
    "lies in one that can be written by others": (folder) => chmodSync(dirname(folder), 0o777),
    "is a link": (folder) => {
      renameSync(folder, `${folder}-moved`);
      symlinkSync(`${folder}-moved`, folder);
    },
    ...(IS_ROOT ? { "belongs to another user": (folder: string) => chownSync(folder, 12_345, 12_345) } : {}),
  };

  test.each(Object.keys(changes))("%s", async (what) => {
    const machine = await startedBefore();
    const folder = cacheFolder(machine);
    writePoison(machine, NAME);
    const poison = readFileSync(join(folder, NAME));
    changes[what]?.(folder);
    expect(await start(machine)).toEqual(VERSION);
    expect(readFileSync(join(folder, NAME)).equals(poison)).toBe(true);
  });
});

describe("is left out where", () => {
  test.each<[string, Record<string, string>]>([
    ["it is switched off", { HOOKLINE_CODE_CACHE: "off" }],
    ["the home is not an absolute path", { HOME: "." }],
    ["the home does not exist", { HOME: "/nowhere" }],
  ])("%s", async (_, env) => {
    const machine = uncachedMachine();
    await start(machine, env);
    expect([machine.has("home/.cache"), machine.has("project/.cache")]).toEqual([false, false]);
  });

  test("a variable names another folder for caches", async () => {
    const machine = uncachedMachine();
    const folder = join(machine.project, "cache");
    expect(await start(machine, { XDG_CACHE_HOME: folder, NODE_COMPILE_CACHE: "" })).toEqual(VERSION);
    expect(machine.has("project/cache")).toBe(false);
  });
});

test("the folders of old builds are removed when a new one is made", async () => {
  const machine = await startedBefore();
  const [folder, parent] = [cacheFolder(machine), dirname(cacheFolder(machine))];
  const old = Array.from({ length: 9 }, (_, index) => `${index}`.repeat(16));
  machine.write(Object.fromEntries(old.map((name) => [`home/.cache/hookline/${name}/list`, ""])));
  rmSync(folder, { recursive: true });
  expect(await start(machine)).toEqual(VERSION);
  expect(old.filter((name) => machine.has(`home/.cache/hookline/${name}`))).toHaveLength(5);
  expect(statSync(join(parent, folder.slice(parent.length))).isDirectory()).toBe(true);
});
