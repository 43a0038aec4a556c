import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProcessEnding } from "../../src/process/ending.ts";
import { type ProcessRequest, runProcess } from "../../src/process/runProcess.ts";
import { ProcessSpawner } from "../../src/process/spawner/processSpawner.ts";
import { eventually, fixture, groupMembers, isAlive, openDescriptors, RememberedGroups } from "../support/fixtures.ts";
import { hasProgram } from "../support/programs.ts";
import { hasSpawner, readySpawner, spawnerProgram } from "../support/spawner.ts";

const EMBEDDER = fileURLToPath(new URL("./embedder.mjs", import.meta.url));
const MiB = 1024 * 1024;

let folder = "";
let groups = new RememberedGroups();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "spawner-")));
  groups = new RememberedGroups();
});

afterEach(async () => {
  groups.dispose();
  await eventually(() => expect(groups.members()).toEqual([]));
  rmSync(folder, { recursive: true });
});

function run(spawner: ProcessSpawner, script: string, overrides: Partial<ProcessRequest> = {}): Promise<ProcessEnding> {
  const request: ProcessRequest = {
    argv: ["/bin/sh", "-c", script],
    stdin: "{}",
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    timeoutMs: 15_000,
    killGraceMs: 300,
    outputLimitBytes: MiB,
    reportLeftBehind: true,
    ...overrides,
  };
  return runProcess(request, groups, spawner);
}

function exited(stdout: string, stderr: unknown = "") {
  const captured = { stdout, stderr, stdoutTruncated: false, stderrTruncated: false };
  return { kind: "exited", code: 0, leftBehind: false, ...captured };
}

const KILLED = { kind: "killed", signal: "SIGKILL" };

/** The process that started a process of this spawner. */
async function pidOf(spawner: ProcessSpawner): Promise<number> {
  const ending = await run(spawner, "echo $PPID");
  return Number("stdout" in ending && ending.stdout);
}

describe.runIf(hasSpawner)("the spawner", () => {
  test("starts processes once there are enough of them to pay for it", async () => {
    const spawner = new ProcessSpawner(spawnerProgram);
    const parents = [await pidOf(spawner), await pidOf(spawner)];
    while ((await pidOf(spawner)) === process.pid) await setTimeout(20);
    spawner.dispose();
    expect(parents).toEqual([process.pid, process.pid]);
  });

  test("gives each process the whole input, from its start, and nobody can change it", async () => {
    const spawner = await readySpawner();
    const stdin = Buffer.from("the input\n");
    const attack =
      "head -c 4; for fd in 0; do echo changed 2>/dev/null >/proc/self/fd/$fd; done; chmod 777 /proc/self/fd/0 2>/dev/null";
    const attacked = await Promise.all([
      run(spawner, `${attack}; true`, { stdin }),
      run(spawner, "sleep 0.2; cat", { stdin }),
    ]);
    const later = await run(spawner, "cat", { stdin });
    spawner.dispose();
    expect(attacked).toEqual([exited("the "), exited("the input\n")]);
    expect(later).toEqual(exited("the input\n"));
  });

  test("gives each process an input of its own: one that may not be read any more does not disturb the next", async () => {
    const spawner = await readySpawner();
    const stdin = Buffer.from("the input\n");
    await run(spawner, "chmod 000 /proc/self/fd/0", { stdin });
    const [facts, later] = [
      await run(spawner, "stat -Lc %a /proc/self/fd/0", { stdin }),
      await run(spawner, "cat", { stdin }),
    ];
    spawner.dispose();
    expect(facts).not.toEqual(exited("0\n"));
    expect(later).toEqual(exited("the input\n"));
  });

  test("hands over a large input, also to a caller that is busy meanwhile", async () => {
    const spawner = await readySpawner();
    const running = run(spawner, "wc -c", { stdin: Buffer.alloc(10 * MiB, "x") });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    expect(await running).toEqual(exited(`${10 * MiB}\n`));
    spawner.dispose();
  });

  test("gives processes outputs that no other process can open, so that no answer is stolen", async () => {
    const spawner = await readySpawner();
    const ending = await run(spawner, "cat /proc/$$/fd/1 || echo kept");
    spawner.dispose();
    expect(ending).toEqual(exited("kept\n", expect.stringContaining("No such device")));
  });

  test("reports all that a process printed before it exited, however much that is", async () => {
    const spawner = await readySpawner();
    const endings = await Promise.all(
      Array.from({ length: 20 }, () => run(spawner, "head -c 190000 /dev/zero; echo the end >&2; echo the end")),
    );
    spawner.dispose();
    const whole = exited(`${"\0".repeat(190_000)}the end\n`, "the end\n");
    expect(endings.every((ending) => isDeepStrictEqual(ending, whole))).toBe(true);
  });

  test("gives a process no descriptor that the program happened to inherit", async () => {
    const file = join(folder, "leaks");
    writeFileSync(file, `#!/bin/sh\nexec 7</etc/passwd "${spawnerProgram}"\n`, { mode: 0o700 });
    const spawner = await readySpawner(file);
    const ending = await run(spawner, "ls /proc/$$/fd");
    spawner.dispose();
    expect(ending).toEqual(exited("0\n1\n2\n"));
  });

  test("starts a process in the same state as Node does", async () => {
    const spawner = await readySpawner();
    const script = [
      "grep -E '^(Sig|Groups|NoNewPrivs|Seccomp|Cpus_allowed:)' /proc/$$/status | grep -v SigQ", // no signal is blocked or ignored
      "test $$ = $(cut -d' ' -f5 /proc/$$/stat) && test $$ = $(cut -d' ' -f6 /proc/$$/stat) && echo leader",
      "ulimit -a; umask; nice; pwd; env | sort",
    ].join("\n");
    const env = { PATH: process.env.PATH ?? "", "A B": "c=d\ne" };
    const [byNode, bySpawner] = [
      await run(new ProcessSpawner(undefined), script, { env }),
      await run(spawner, script, { env }),
    ];
    spawner.dispose();
    expect(bySpawner).toEqual(byNode);
    expect(bySpawner).toMatchObject({ kind: "exited", code: 0, stdout: expect.stringContaining("\nleader\n") });
  });

  test("starts 200 at once, and leaves no descriptor open on either side", async () => {
    const spawner = await readySpawner();
    const parent = await pidOf(spawner);
    const [ours, its] = [openDescriptors(), readdirSync(`/proc/${parent}/fd`).length];
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const endings = await Promise.all(
      numbers.map((number) => run(spawner, `echo ${number}; cat`, { stdin: `${number}` })),
    );
    expect(endings).toEqual(numbers.map((number) => exited(`${number}\n${number}`)));
    expect(openDescriptors()).toBeLessThanOrEqual(ours);
    expect(readdirSync(`/proc/${parent}/fd`).length).toBeLessThanOrEqual(its + 1); // the last input
    spawner.dispose();
    await eventually(() => expect(isAlive(parent)).toBe(false));
  });

  test("keeps all of an output whose limit is larger than a request can say", async () => {
    const spawner = await readySpawner();
    const ending = await run(spawner, "head -c 100000 /dev/zero | tr '\\0' x", { outputLimitBytes: 8 * 1024 ** 3 });
    spawner.dispose();
    expect(ending).toEqual(exited("x".repeat(100_000)));
  });

  test("goes on with what runs when the caller was too busy to hear of a start", async () => {
    const spawner = await readySpawner(spawnerProgram, { patienceMs: 500 });
    const guard = run(spawner, "sleep 2; echo no");
    await setTimeout(100);
    const asked = run(spawner, "echo yes");
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    expect(await asked).toEqual(exited("yes\n"));
    expect(await guard).toEqual(exited("no\n"));
    spawner.dispose();
  });

  test("reads outputs although many others are closed and descriptors are few", async () => {
    const file = join(folder, "few");
    writeFileSync(file, `#!/bin/sh\nulimit -n 40\nexec "${spawnerProgram}"\n`, { mode: 0o700 });
    const spawner = await readySpawner(file);
    const silent = [];
    for (let count = 0; count < 30; count++) {
      silent.push(run(spawner, "exec >&- 2>&-; sleep 2"));
      await setTimeout(20);
    }
    expect(await run(spawner, "echo no")).toEqual(exited("no\n"));
    expect(await Promise.all(silent)).toEqual(silent.map(() => exited("")));
    spawner.dispose();
  });

  test("lets what a hook left in the background print after it was told to end", async () => {
    const spawner = await readySpawner();
    const parent = await pidOf(spawner);
    const left = run(spawner, "(sleep 0.5; echo more; touch printed) & echo done");
    expect(await left).toMatchObject({ kind: "exited", leftBehind: true, stdout: "done\n" });
    spawner.dispose();
    await eventually(() => expect(existsSync(join(folder, "printed"))).toBe(true));
    await eventually(() => expect(isAlive(parent)).toBe(false));
  });

  test("waits for what runs before it ends", async () => {
    const spawner = await readySpawner();
    const parent = await pidOf(spawner);
    const running = run(spawner, "sleep 0.3; echo done");
    spawner.dispose();
    expect(await running).toEqual(exited("done\n"));
    await eventually(() => expect(isAlive(parent)).toBe(false));
  });
});

describe.runIf(hasSpawner)("without a spawner, Node starts the process:", () => {
  test.each<[string, (file: string) => void]>([
    ["it is missing", () => {}],
    ["it may not be executed", (file) => writeFileSync(file, "", { mode: 0o600 })],
    ["it is for another machine", (file) => writeFileSync(file, "\x7fELF\x02\x01\x01", { mode: 0o700 })],
    ["it ends at once", (file) => writeFileSync(file, "#!/bin/sh\n", { mode: 0o700 })],
    ["it says nothing", (file) => writeFileSync(file, "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 })],
    [
      "it says what makes no sense",
      (file) => writeFileSync(file, "#!/bin/sh\nhead -c 99999 /dev/urandom >&3\n", { mode: 0o700 }),
    ],
  ])("%s", async (_, make) => {
    const file = join(folder, "hookline-spawn");
    make(file);
    const spawner = new ProcessSpawner(file);
    for (let round = 0; round < 5; round++) {
      expect(await run(spawner, "echo $PPID")).toEqual(exited(`${process.pid}\n`));
      await setTimeout(20);
    }
    spawner.dispose();
  });

  test("it was killed while it had nothing to do", async () => {
    const spawner = await readySpawner();
    process.kill(await pidOf(spawner), "SIGKILL");
    // The first may ask before we have noticed.
    expect(await pidOf(spawner)).toBe(process.pid);
    expect(await pidOf(spawner)).toBe(process.pid);
  });

  test("it was killed: the next hooks have another one", async () => {
    const spawner = await readySpawner();
    const first = await pidOf(spawner);
    process.kill(first, "SIGKILL");
    await eventually(() => expect(isAlive(first)).toBe(false));
    while ((await pidOf(spawner)) === process.pid) await setTimeout(20);
    const second = await pidOf(spawner);
    spawner.dispose();
    expect([first, process.pid]).not.toContain(second);
  });

  test("it was stopped", async () => {
    const spawner = await readySpawner(spawnerProgram, { patienceMs: 500 });
    const parent = await pidOf(spawner);
    process.kill(parent, "SIGSTOP");
    const endings = await Promise.all([pidOf(spawner), pidOf(spawner)]);
    expect(endings).toEqual([process.pid, process.pid]);
    await eventually(() => expect(isAlive(parent)).toBe(false));
  });
});

describe.runIf(hasSpawner)("nothing outlives the spawner", () => {
  test("when it was stopped: a process past its timeout is killed with its children", async () => {
    const spawner = await readySpawner(spawnerProgram, { patienceMs: 500 });
    const parent = await pidOf(spawner);
    const running = run(spawner, "sleep 60 & sleep 60", { timeoutMs: 600 });
    await eventually(() => expect(groups.members().length).toBe(3));
    process.kill(parent, "SIGSTOP");
    expect(await running).toMatchObject({ kind: "timedOut" });
    await eventually(() => expect(groups.members()).toEqual([]));
    expect(isAlive(parent)).toBe(false);
  });

  test("when it was stopped and the program exits", async () => {
    const hook = "kill -STOP $PPID; sleep 60 & sleep 60";
    const ended = await embed(["60000", "exits-while-it-runs", "/bin/sh", "-c", hook]);
    await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
    await eventually(() => expect(isAlive(ended.parent)).toBe(false));
  });

  test("when it is killed: the process is killed, keeps what it said, and its children end with it", async () => {
    const spawner = await readySpawner();
    const parent = await pidOf(spawner);
    const running = run(spawner, "echo begun; sleep 60 & sleep 60");
    await eventually(() => expect(groups.members().length).toBe(3));
    await setTimeout(50); // what it printed is on its way
    process.kill(parent, "SIGKILL");
    expect(await running).toMatchObject({ ...KILLED, stdout: "begun\n" });
    await eventually(() => expect(groups.members()).toEqual([]));
  });

  test.each([
    ["calls process.exit()", "exits-while-it-runs", 0],
    ["dies of an uncaught error", "throws-while-it-runs", 1],
    ["is killed", "is-killed-while-it-runs", null],
  ])("when the program %s while a process runs", async (_, how, code) => {
    const ended = await embed(["60000", how, fixture("ignores-sigterm.sh")]);
    expect(ended).toEqual({ code, group: expect.any(Number), parent: expect.any(Number), lines: [] });
    await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
    await eventually(() => expect(isAlive(ended.parent)).toBe(false));
  });

  test.each([
    ["exits-after-the-ending", "ignores-sigterm.sh"],
    ["falls-off-the-end", "ignores-sigterm.sh"],
    ["exits-after-the-ending", "leaves-a-child-at-sigterm.sh"],
    ["exits-a-moment-after-the-ending", "leaves-a-child-at-sigterm.sh"],
  ])("when the program %s within the grace: %s", async (how, hook) => {
    const ended = await embed(["500", how, fixture(hook)]);
    expect(ended).toEqual({ code: 0, group: expect.any(Number), parent: expect.any(Number), lines: ["timedOut"] });
    await eventually(() => expect(groupMembers(ended.group)).toEqual([]));
    await eventually(() => expect(isAlive(ended.parent)).toBe(false));
  });
});

/** Runs the built engine, with the spawner, in a program that ends as told. */
async function embed(args: readonly string[]) {
  const program = spawn(process.execPath, [EMBEDDER, ...args], { env: { ...process.env, SPAWNER: spawnerProgram } });
  const code = new Promise((resolve) => program.on("exit", resolve));
  const [parent, pid, ...lines] = (await text(program.stdout)).trim().split("\n");
  return { code: await code, parent: Number(parent), group: Number(pid), lines };
}

test.runIf(hasSpawner && hasProgram("valgrind"))(
  "valgrind finds nothing wrong with it",
  async () => {
    const build = join(folder, "checked");
    const sources = fileURLToPath(new URL("../../../spawner/src", import.meta.url));
    const files = readdirSync(sources)
      .filter((name) => name.endsWith(".c"))
      .map((name) => join(sources, name));
    execFileSync("cc", ["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-O1", "-o", build, ...files]);
    const [log, wrapper] = [join(folder, "log"), join(folder, "hookline-spawn")];
    const valgrind = `exec valgrind -q --leak-check=full --trace-children=no --log-file=${log} ${build}`;
    writeFileSync(wrapper, `#!/bin/sh\nPATH=/usr/bin:/bin:/usr/local/bin; ${valgrind}\n`);
    chmodSync(wrapper, 0o700);
    const spawner = await readySpawner(wrapper, { patienceMs: 60_000 });
    const large = Buffer.alloc(MiB, "x");
    await Promise.all([run(spawner, "cat", { stdin: large }), run(spawner, "cat >&2", { stdin: large })]);
    await run(spawner, "", { argv: ["/nonexistent"] });
    await run(spawner, "", { cwd: "/nonexistent" });
    await run(spawner, "sleep 60", { timeoutMs: 50 });
    await run(spawner, "yes", { timeoutMs: 200, outputLimitBytes: 1000 });
    await run(spawner, "kill -9 $$");
    expect(await run(spawner, "echo $((1 + 1))")).toEqual(exited("2\n"));
    const parent = await pidOf(spawner);
    expect(parent).not.toBe(process.pid);
    spawner.dispose();
    await eventually(() => expect(isAlive(parent)).toBe(false));
    expect(readFileSync(log, "utf8")).toBe("");
  },
  120_000,
);
