import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import SqlDatabase from "libsql";
import { describe, expect, test } from "vitest";
import { openJournalReader } from "../../src/reader/journalReader.ts";
import { draftOf } from "../../src/state/draft.ts";
import { createStore } from "../../src/store/createStore.ts";
import { Appender } from "../support/appenders.ts";
import { Creator } from "../support/creators.ts";
import { eventEntry, JournalFolder, OPTIONS } from "../support/journalFixtures.ts";

const PROCESSES = 8;
const ROUNDS = Number(process.env.HOOKLINE_SOAK_CREATIONS ?? 6);
const FEW_ROUNDS = Math.ceil(ROUNDS / 3);
const connect = (file: string) => new SqlDatabase(file);
const TABLE = { connect, schema: "CREATE TABLE rows (id INTEGER); PRAGMA user_version = 1;" };

function age(file: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  lutimesSync(file, then, then);
}

function folderOf({ path }: JournalFolder): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return dirname(path);
}

/** Everything in the folders of the two databases that is not theirs. */
function others({ homeDir, path }: JournalFolder): readonly string[] {
  const names = [join(homeDir, ".hookline"), dirname(path)].flatMap((folder) => readdirSync(folder));
  return names.filter((name) => !/^(projects|project\.json|journals?\.db(-wal|-shm)?)$/.test(name));
}

/** A folder in which a journal was removed, and the log of a killed program was not. */
function withOldLog(folder: JournalFolder): void {
  const writer = folder.writer();
  writer.append([eventEntry(1)]);
  copyFileSync(`${folder.path}-wal`, `${folder.path}.kept`);
  writer.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${folder.path}${end}`, { force: true });
  copyFileSync(`${folder.path}.kept`, `${folder.path}-wal`);
  rmSync(`${folder.path}.kept`);
}

function touch(folder: JournalFolder): void {
  folderOf(folder);
  writeFileSync(folder.path, "", { mode: 0o600 });
  mkdirSync(join(folder.homeDir, ".hookline"), { recursive: true });
  writeFileSync(join(folder.homeDir, ".hookline/journals.db"), "", { mode: 0o600 });
}

describe(`${PROCESSES} programs that open a journal at once create one, whole, and leave nothing beside it:`, () => {
  test.each<[rounds: number, where: string, { LINKS?: "none" }, (folder: JournalFolder) => void]>([
    [ROUNDS, "where there is none", {}, () => {}],
    [FEW_ROUNDS, "where a file is empty", {}, touch],
    [FEW_ROUNDS, "where the log of a removed journal lies", {}, withOldLog],
    [FEW_ROUNDS, "on a file system without hard links", { LINKS: "none" }, () => {}],
  ])("%i times %s", async (rounds, _, conditions, prepare) => {
    const programs = await Promise.all(Array.from({ length: PROCESSES }, () => Creator.ready(conditions)));
    for (let round = 0; round < rounds; round++) {
      const folder = new JournalFolder();
      prepare(folder);
      const answers = await Promise.all(programs.map((program) => program.open(folder.place)));
      expect(answers).toEqual(programs.map(() => "done"));
      expect(folder.rows("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
      expect(folder.rows("SELECT count(*) AS rows FROM checkpoints")).toMatchObject([{ rows: PROCESSES }]);
      expect(folder.rows("PRAGMA auto_vacuum")).toMatchObject([{ auto_vacuum: 2 }]);
      expect(folder.rows("PRAGMA journal_mode")).toMatchObject([{ journal_mode: "wal" }]);
      expect(others(folder)).toEqual([]);
      expect([lstatSync(folder.path).nlink, lstatSync(folder.path).mode & 0o777]).toEqual([1, 0o600]);
    }
  });
});

describe("a program that is killed while it creates a journal does not stop the next one:", () => {
  test.each<["before" | "after", number]>([
    ["before", 0],
    ["after", 1],
  ])("%s the database gets its name", async (KILL, journals) => {
    const folder = new JournalFolder();
    expect(await (await Creator.ready({ KILL })).open(folder.place)).toBe("SIGKILL");
    const names = readdirSync(dirname(folder.path));
    expect(names.filter((name) => name === "journal.db")).toHaveLength(journals);
    expect(names.filter((name) => name.endsWith(".new"))).toHaveLength(1);
    // Who only reads removes nothing.
    (await openJournalReader(folder.place))?.close();
    folder.writer().append([eventEntry(1)]);
    expect(await folder.verify()).toMatchObject({ intact: 1, findings: [] });
    for (const draft of others(folder)) age(join(dirname(folder.path), draft), 120_000);
    folder.writer().append([eventEntry(2)]);
    expect(others(folder)).toEqual([]);
    expect(await folder.verify()).toMatchObject({ intact: 2, findings: [] });
  });

  test("at any moment", async () => {
    const folder = new JournalFolder();
    for (let round = 0; round < ROUNDS; round++) {
      const appender = new Appender({ ...folder.place, options: OPTIONS }, []);
      const appended = appender.append(round, 50);
      await new Promise((resolve) => setTimeout(resolve, 40 + Math.random() * 120));
      await appender.kill();
      await appended;
      folder.writer().append([eventEntry(round)]);
      expect(folder.rows("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
      expect(await folder.verify()).toMatchObject({ unknown: 0, findings: [] });
      if (round % 2 === 0) rmSync(folder.dir, { recursive: true });
      for (const dir of [folder.projectRoot, folder.homeDir]) mkdirSync(dir, { recursive: true });
    }
  });
});

test.each<[string, (lock: string) => void]>([
  ["a folder", (lock) => mkdirSync(lock)],
  ["a folder with something in it", (lock) => mkdirSync(`${lock}/more`, { recursive: true })],
  ["a file", (lock) => writeFileSync(lock, "")],
  ["a link to nothing", (lock) => symlinkSync("nowhere", lock)],
])("a lock that an earlier version left behind is removed: %s", async (_, make) => {
  const folder = new JournalFolder();
  const lock = join(folderOf(folder), "journal.db.lock");
  make(lock);
  age(lock, 2_500);
  folder.writer().append([eventEntry(1)]);
  expect(existsSync(lock)).toBe(false);
  expect(await folder.verify()).toMatchObject({ intact: 1, findings: [] });
});

test("drafts of killed programs are removed when they are old, with the files beside them, and nothing else is", () => {
  const folder = new JournalFolder();
  const draft = draftOf(folder.path);
  const [old, young] = [[draft, `${draft}-journal`, `${draft}-wal`], draftOf(folder.path)];
  const kept = ["journal.db.damaged-2025-11-16T09-23-43", "journal.db.mine.new", "tasks.db"].map((name) =>
    join(folderOf(folder), name),
  );
  for (const file of [...old, young, ...kept]) writeFileSync(file, "");
  for (const file of [...old, ...kept]) age(file, 3_600_000);
  folder.writer().append([eventEntry(1)]);
  expect([...old, young, ...kept].filter((file) => existsSync(file))).toEqual([young, ...kept]);
});

describe("a file that is there already is neither followed nor replaced:", () => {
  const place = () => join(new JournalFolder({ "target.txt": "mine" }).dir, "store.db");

  test("a database", () => {
    const path = place();
    createStore(path, TABLE);
    const before = lstatSync(path).ino;
    createStore(path, { ...TABLE, schema: "CREATE TABLE others (id INTEGER);" });
    expect(lstatSync(path).ino).toBe(before);
    expect(readFileSync(path, "latin1")).not.toContain("others");
  });

  test("a link, also to nothing", () => {
    const path = place();
    symlinkSync("nowhere.db", path);
    createStore(path, TABLE);
    expect(readdirSync(dirname(path))).not.toContain("nowhere.db");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  test.each<[string, (draft: string, target: string) => void]>([
    ["a link in the place of the draft", (draft, target) => symlinkSync(target, draft)],
    ["a hard link in the place of the draft", (draft, target) => linkSync(target, draft)],
  ])("%s", async (_, plant) => {
    const UUID = "01234567-89ab-4cde-8f01-23456789abcd";
    const folder = new JournalFolder({ "target.txt": "mine" });
    const [draft, target] = [join(folderOf(folder), `journal.db.${UUID}.new`), join(folder.dir, "target.txt")];
    plant(draft, target);
    expect(await (await Creator.ready({ UUID })).open(folder.place)).toMatch(/EEXIST/);
    expect([readFileSync(target, "utf8"), readFileSync(draft, "utf8")]).toEqual(["mine", "mine"]);
    expect(readdirSync(dirname(draft)).filter((name) => name.startsWith("journal"))).toEqual([
      `journal.db.${UUID}.new`,
    ]);
    folder.writer().append([eventEntry(1)]); // under another name it works
    expect(await folder.verify()).toMatchObject({ intact: 1, findings: [] });
  });

  test("a database that another process creates in the meantime", () => {
    const path = place();
    const late = (file: string) => {
      writeFileSync(path, "theirs");
      return connect(file);
    };
    createStore(path, { ...TABLE, connect: late });
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(dirname(path)).filter((name) => name.includes(".new"))).toEqual([]);
  });
});

test("a hard link elsewhere is still refused, beside a draft of the same database, too", async () => {
  const folder = new JournalFolder();
  expect(await (await Creator.ready({ KILL: "after" })).open(folder.place)).toBe("SIGKILL");
  linkSync(folder.path, join(folder.dir, "elsewhere.db"));
  await expect(openJournalReader(folder.place)).rejects.toThrow("another hard link elsewhere");
  expect(() => folder.writer()).toThrow("another hard link elsewhere");
});

test(`${PROCESSES} programs that find no journal create one, and lose nothing`, async () => {
  const folder = new JournalFolder();
  const acknowledged: string[] = [];
  const { projectRoot, homeDir } = folder;
  const begin = () => new Appender({ projectRoot, homeDir, options: OPTIONS }, acknowledged);
  const programs = Array.from({ length: PROCESSES }, begin);
  await Promise.all(programs.map((program) => program.append(1, 50)));
  await Promise.all(programs.map((program) => program.end()));
  expect(acknowledged).toHaveLength(PROCESSES * 50);
  expect(folder.rows("SELECT count(*) AS kept FROM records WHERE kind = 'approval'")).toMatchObject([
    { kept: PROCESSES * 50 },
  ]);
  expect(folder.rows("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
  expect(await folder.verify()).toMatchObject({ unknown: 0, findings: [] });
});
