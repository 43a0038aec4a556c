import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BINARY, endOf } from "../support/machine.ts";
import { sharedProgram } from "../support/sharedProgram.ts";
import { diagnosisIn, notices, Patient } from "./patient.ts";

const NOBODY = 65534;
const PAGE_BYTES = 4_096;
const isRoot = process.getuid?.() === 0;

async function recorded(count: number): Promise<Patient> {
  const patient = await Patient.trusted();
  patient.recordEvents(count);
  patient.tamper((db) => db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
  return patient;
}

const asides = (patient: Patient) => readdirSync(patient.inState("")).filter((name) => name.includes("damaged"));

describe("a journal that is not usable stops no hook, the person is told once, and the doctor knows the way out:", () => {
  test("locked", async () => {
    const patient = await Patient.trusted();
    await patient.fire();
    const release = await patient.locked(patient.journal);
    const { code, stderr } = await patient.fire();
    expect({ code, told: notices(stderr).length }).toEqual({ code: 0, told: 1 });
    const { code: sick, said, troubles } = await patient.doctor();
    expect({ sick, troubles }).toEqual({ sick: 1, troubles: ["stores error Another program has locked the journal."] });
    expect(said.sections.stores?.find(({ severity }) => severity === "error")?.next).toContain(
      "the program that hangs",
    );
    await release();
    expect((await patient.doctor()).troubles).toEqual([]);
  });

  test("a file of rubbish", async () => {
    const patient = await recorded(3);
    // Another file, not the same one: a connection of this process that is not quite closed yet may still write to that.
    for (const end of ["", "-wal", "-shm"]) rmSync(`${patient.journal}${end}`, { force: true });
    writeFileSync(patient.journal, "rubbish".repeat(1_000), { mode: 0o600 });
    const { code, stderr } = await patient.fire();
    expect({ code, told: notices(stderr) }).toEqual({
      code: 0,
      told: [expect.stringContaining("`hookline doctor --fix` moves the damaged file aside")],
    });
    expect((await patient.doctor()).troubles).toEqual([
      "stores error the journal is damaged (file is not a database).",
    ]);
    const { said, troubles } = await patient.doctor("--fix");
    expect(said.repairs).toEqual([
      { isDone: true, what: expect.stringMatching(/^the journal was moved to .*, and 0 records saved$/) },
    ]);
    const [aside = ""] = asides(patient);
    expect(readFileSync(patient.inState(aside), "utf8")).toBe("rubbish".repeat(1_000));
    expect(troubles).toEqual(["stores error Records 1 to 3 were cut off from the end, or the journal was removed."]);
    expect(notices((await patient.fire()).stderr)).toEqual([]);
    expect((await patient.doctor()).troubles).toEqual(["stores error Records 1 to 3 were removed."]);
  });

  test("damaged in the middle: everything else is saved, in order and with its signatures", async () => {
    const patient = await recorded(3_000);
    const pages = Math.floor(statSync(patient.journal).size / PAGE_BYTES);
    overwrite(patient.journal, Math.floor(pages * 0.4), Math.floor(pages * 0.43));
    const { code, stderr } = await patient.fire();
    expect(code).toBe(0);
    expect(notices(stderr).length).toBeLessThanOrEqual(1);
    const before = await patient.doctor();
    expect(before.troubles).toEqual([expect.stringMatching(/^stores error the journal is damaged/)]);
    const { code: left, said, troubles } = await patient.doctor("--fix");
    const [, saved] = /(\d+) records saved/.exec(said.repairs[0]?.what ?? "") ?? [];
    expect(Number(saved)).toBeGreaterThan(2_000);
    expect(Number(saved)).toBeLessThan(3_000);
    // What is gone is said for as long as records are kept, and nothing else is wrong.
    expect(left).toBe(1);
    for (const trouble of troubles)
      expect(trouble).toMatch(/^stores error Records? \d+( to \d+ were| was) (removed|cut)/);
    expect(missingIn(troubles) + Number(saved)).toBeGreaterThanOrEqual(3_000);
    expect(statSync(patient.journal).mode & 0o777).toBe(0o600);
    expect(notices((await patient.fire()).stderr)).toEqual([]);
    expect((await patient.machine.cli(["log", "--limit", "5"])).code).toBe(0);
    expect(asides(patient).length).toBeGreaterThan(0);
  });

  test("read-only", async () => {
    const patient = await recorded(3);
    const { machine } = patient;
    // Rights mean nothing to the superuser, who therefore does it as somebody else.
    if (isRoot) {
      for (const path of [machine.dir, machine.project]) chmodSync(path, 0o755);
      execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, machine.home]);
    }
    const seen = join(machine.dir, "seen");
    chmodSync(seen, 0o777);
    chmodSync(patient.journal, 0o400);
    chmodSync(patient.inState(""), 0o500);
    onTestFinished(() => chmodSync(patient.inState(""), 0o700));
    const program = sharedProgram();
    const asNobody = (args: readonly string[]) =>
      endOf(
        spawn(process.execPath, [program, ...args], {
          cwd: machine.project,
          env: machine.env({ HOOKLINE_TRUST_PROJECT: "1" }),
          ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
        }),
      );
    const { code, stderr } = await asNobody(["fire", "BeforeTool"]);
    expect({ code, told: notices(stderr) }).toEqual({ code: 0, told: [expect.stringContaining("The journal is not")] });
    const { code: sick, stdout } = await asNobody(["doctor", "--json"]);
    expect(diagnosisIn(sick, stdout)).toMatchObject({
      code: 1,
      troubles: ["stores error the journal is not writable."],
    });
  });

  // Node ignores SIGXFSZ, so that writing beyond the limit fails as it does on a full disk.
  test("no more can be written", async () => {
    const patient = await Patient.trusted();
    const line = `ulimit -f 8; exec "${process.execPath}" "${BINARY}" fire BeforeTool`;
    const { code, stderr } = await endOf(
      spawn("sh", ["-c", line], { cwd: patient.machine.project, env: patient.machine.env() }),
    );
    expect({ code, told: notices(stderr) }).toEqual({ code: 0, told: [expect.stringContaining("The journal is not")] });
    await patient.fire();
    expect((await patient.doctor()).troubles).toEqual([]);
  });

  test.runIf(canMount())("a full disk", async () => {
    const patient = await Patient.trusted();
    const disk = patient.inState("..");
    mkdirSync(disk, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k,mode=700", "hookline-test", disk]);
    onTestFinished(() => void execFileSync("umount", [disk]));
    writeFileSync(join(disk, "filler"), "x".repeat(100 * 1_024));
    const { code, stderr } = await patient.fire();
    expect({ code, told: notices(stderr) }).toEqual({
      code: 0,
      told: [expect.stringContaining("The journal is not written")],
    });
    expect((await patient.doctor()).troubles).toContainEqual(
      expect.stringMatching(/^stores error Only .* are free on this disk\.$/),
    );
  });
});

test("an altered record is told", async () => {
  const patient = await recorded(5);
  patient.tamper((db) => db.exec("UPDATE records SET outcome = 'block' WHERE n = 4"));
  const { code, troubles } = await patient.doctor();
  expect({ code, troubles }).toEqual({
    code: 1,
    troubles: ["stores error Record 4 was altered or added by a program other than hookline."],
  });
});

test("what was lost or kept late in the last days is counted", async () => {
  const patient = await recorded(1);
  const late = { kind: "late", at: Date.now(), session: "s1", turn: 1 } as const;
  patient.record((writer) => writer.append([late, late, late, late, late], 7));
  expect((await patient.doctor()).troubles).toEqual([
    "stores warning In the last 7 days 7 entries were lost before they could be recorded.",
    "stores warning In the last 7 days a program continued 5 times before an objection or approval was recorded.",
  ]);
});

test("a database that is none of ours is told", async () => {
  const patient = await Patient.trusted();
  patient.tamper((db) => db.exec("CREATE TABLE other (a); PRAGMA user_version = 1"));
  chmodSync(patient.journal, 0o600);
  expect((await patient.doctor()).troubles).toEqual([
    "stores error the journal is damaged (the table records is missing).",
  ]);
});

test("a journal of a newer hookline is told, and left alone by --fix", async () => {
  const patient = await recorded(1);
  patient.tamper((db) => db.exec("PRAGMA user_version = 9"));
  const { said, troubles } = await patient.doctor("--fix");
  expect([troubles, said.repairs]).toEqual([
    ["stores error the journal was created by a newer hookline (schema 9, this one knows 2)."],
    [],
  ]);
});

test("a damaged store of tasks is told, with the way out, and kept", async () => {
  const patient = await Patient.trusted();
  const path = `${patient.machine.state}/tasks.db`;
  patient.machine.write({ [path]: "rubbish".repeat(1_000) });
  chmodSync(join(patient.machine.dir, path), 0o600);
  const { said, troubles } = await patient.doctor("--fix");
  expect([troubles, said.repairs]).toEqual([[expect.stringContaining("the task store is damaged")], []]);
  expect(said.sections.stores?.find(({ severity }) => severity === "error")?.next).toMatch(/from a backup/);
  expect(patient.machine.read(path)).toBe("rubbish".repeat(1_000));
});

describe("--fix repairs, says what it did, and then nothing is wrong any more:", () => {
  test("files that others may read, and a lock that was left behind", async () => {
    const patient = await recorded(2);
    chmodSync(patient.journal, 0o644);
    const lock = `${patient.journal}.lock`;
    mkdirSync(lock);
    expect((await patient.doctor()).troubles).toEqual([
      "stores warning Other users of this machine can read or change this file.",
    ]);
    const old = new Date(Date.now() - 120_000);
    utimesSync(lock, old, old);
    const { code, said, troubles } = await patient.doctor("--fix");
    expect({ code, troubles, repairs: said.repairs }).toEqual({
      code: 0,
      troubles: [],
      repairs: [
        { isDone: true, what: "journal.db.lock was removed" },
        { isDone: true, what: expect.stringMatching(/^only you can now read and write journal\.db.*$/) },
      ],
    });
    expect([existsSync(lock), statSync(patient.journal).mode & 0o777]).toEqual([false, 0o600]);
  });
});

describe("a project that means harm gets nowhere:", () => {
  test("a journal that is a link to another file is neither opened nor changed", async () => {
    const patient = await Patient.trusted();
    patient.machine.write({ "home/private.txt": "mine" });
    const target = join(patient.machine.home, "private.txt");
    chmodSync(target, 0o644);
    symlinkSync(target, patient.journal);
    const { code, troubles } = await patient.doctor("--fix");
    expect({ code, troubles }).toEqual({
      code: 1,
      troubles: ["stores error the journal is not used: this is not a regular file."],
    });
    expect([patient.machine.read("home/private.txt"), statSync(target).mode & 0o777]).toEqual(["mine", 0o644]);
  });

  test("a state folder that is a link, or a file, is told", async () => {
    const linked = new Patient();
    linked.machine.write({ "home/elsewhere/here": "" });
    mkdirSync(dirname(linked.inState("")), { recursive: true });
    symlinkSync(join(linked.machine.home, "elsewhere"), linked.inState(""));
    expect((await linked.doctor("--fix")).troubles).toEqual([
      "stores error the journal is not used: its folder is a symbolic link.",
      "stores error the task store is not used: its folder is a symbolic link.",
    ]);
    const filed = new Patient();
    filed.machine.write({ [filed.machine.state]: "a file" });
    const { code, troubles } = await filed.doctor("--fix");
    expect(code).toBe(1);
    expect(troubles).toContainEqual(expect.stringMatching(/^stores error the journal cannot be examined/));
  });
});

/** From one page up to another, as a disk that fails does it. */
function overwrite(file: string, fromPage: number, toPage: number): void {
  const descriptor = openSync(file, "r+");
  const rubbish = Buffer.alloc((toPage - fromPage) * PAGE_BYTES, 0xaa);
  writeSync(descriptor, rubbish, 0, rubbish.length, fromPage * PAGE_BYTES);
  closeSync(descriptor);
}

function missingIn(troubles: readonly string[]): number {
  return troubles.reduce((sum, text) => {
    const [, from, to = from] = /Records? (\d+)(?: to (\d+))?/.exec(text) ?? [];
    return sum + Number(to) - Number(from) + 1;
  }, 0);
}

function canMount(): boolean {
  const mounted =
    isRoot &&
    process.platform === "linux" &&
    spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  if (!mounted) process.stderr.write("NOTICE: nothing can be mounted here; the test of a full disk is skipped.\n");
  return mounted;
}
