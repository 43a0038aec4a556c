import { getEventListeners } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProcessEnding } from "../../src/process/ending.ts";
import { type ProcessRequest, runProcess } from "../../src/process/runProcess.ts";
import type { ProcessSpawner } from "../../src/process/spawner/processSpawner.ts";
import { eventually, fixture, isAlive, openDescriptors, RememberedGroups } from "../support/fixtures.ts";
import { hasSpawner, readySpawner } from "../support/spawner.ts";

const MiB = 1024 * 1024;
const ALLOW = '{"decision":"allow"}\n';
const DENY = '{"decision":"deny","reason":"not today"}\n';
const NULLS = { decision: null, reason: null, continue: null, systemMessage: null, hookSpecificOutput: null };

let folder = "";
let groups = new RememberedGroups();
let descriptors = 0;
let pipeInput = false;
let spawner: ProcessSpawner | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "process-")));
  groups = new RememberedGroups();
  descriptors = openDescriptors();
  pipeInput = false;
});

afterEach(async () => {
  await eventually(() => expect(groups.members()).toEqual([]));
  await eventually(() => expect(groups.size).toBe(0));
  await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(descriptors));
  groups.dispose();
  rmSync(folder, { recursive: true });
});

function run(name: string, overrides: Partial<ProcessRequest> = {}): Promise<ProcessEnding> {
  const request: ProcessRequest = {
    argv: [fixture(name)],
    stdin: '{"hook_event_name":"BeforeTool"}',
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    timeoutMs: 15_000,
    killGraceMs: 300,
    outputLimitBytes: MiB,
    reportLeftBehind: true,
    pipeInput,
    ...overrides,
  };
  return runProcess(request, groups, spawner);
}

function wrote(stdout: string, stderr = "", truncated: { stdout?: boolean; stderr?: boolean } = {}) {
  return { stdout, stderr, stdoutTruncated: truncated.stdout ?? false, stderrTruncated: truncated.stderr ?? false };
}

function exited(code: number, stdout: string, stderr = "") {
  return { kind: "exited", code, leftBehind: false, ...wrote(stdout, stderr) };
}

describe.each(hasSpawner ? ["Node", "the spawner"] : ["Node"])("started by %s,", (starter) => {
  beforeAll(async () => {
    spawner = starter === "the spawner" ? await readySpawner() : undefined;
  });

  afterAll(() => spawner?.dispose());

  describe("a hook that exits", () => {
    test.each([
      ["allows.sh", exited(0, ALLOW)],
      ["denies.sh", exited(0, DENY)],
      ["denies-and-exits-1.sh", exited(1, DENY)],
      ["exits-1.sh", exited(1, "", "something broke\n")],
      ["exits-2-with-reason.sh", exited(2, "", "not on a Friday\n")],
      ["exits-2-silently.sh", exited(2, "")],
      ["exits-3.sh", exited(3, "", "something else broke\n")],
      ["exits-126.sh", exited(126, "", "cannot execute\n")],
      ["exits-127.sh", exited(127, "", "command not found\n")],
      ["json-of-the-wrong-shape.sh", exited(0, '{"decision":42,"reason":{}}\n')],
      ["json-with-nulls.sh", exited(0, `${JSON.stringify(NULLS)}\n`)],
      ["json-array.sh", exited(0, `[${DENY.trim()}]\n`)],
      ["json-number.sh", exited(0, "42\n")],
      ["json-encoded-twice.sh", exited(0, `${JSON.stringify(DENY.trim())}\n`)],
      ["json-that-does-not-parse.sh", exited(0, '{"decision": "deny", reason: not today\n')],
      ["text-then-json.sh", exited(0, `checking the edit\n${DENY}`)],
      ["prints-binary.sh", exited(0, "\ufffd\ufffd\0\u0001{\ufffd\ufffd\u001b[31m")],
      ["prints-half-a-character.sh", exited(0, "caf\ufffd")],
      ["splits-a-character.mjs", exited(0, '{"decision":"deny","reason":"café"}\n')],
    ])("%s ends with its code and the exact text it printed", async (name, ending) => {
      expect(await run(name)).toEqual(ending);
    });

    test("runs in the given folder with the given environment and nothing else", async () => {
      const env = { PATH: process.env.PATH ?? "", HOOKLINE_EVENT: "BeforeTool" };
      const ending = await run("prints-environment.mjs", { env });
      expect(ending).toEqual(exited(0, `${JSON.stringify({ hookSpecificOutput: { env, cwd: folder } })}\n`));
    });

    test("keeps its answer when the caller was too busy to look until the timeout had passed", async () => {
      const running = run("text-then-json.sh", { timeoutMs: 300 });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      expect(await running).toEqual(exited(0, `checking the edit\n${DENY}`));
    });

    test("may have a timeout longer than a timer can hold", async () => {
      expect(await run("closes-stdin.sh", { timeoutMs: 2 ** 40 })).toEqual(exited(0, ALLOW));
    });
  });

  // How a process ends does not depend on how it got its input. What does: what it reads, and what becomes of an input that it
  // does not read, of a process that cannot be started or is killed, and of our end of the pipe.
  describe.each(starter === "Node" ? ["a file in memory", "a pipe"] : ["a file in memory"])(
    "with its input as %s,",
    (way) => {
      beforeEach(() => {
        pipeInput = way === "a pipe";
      });

      test("a hook receives its input whole, as text or as bytes, however large", async () => {
        const input = { prompt: "é".repeat(5 * MiB) };
        const limit = { outputLimitBytes: 20 * MiB };
        const asText = await run("echoes-input.mjs", { stdin: JSON.stringify(input), ...limit });
        const asBytes = await run("echoes-input.mjs", { stdin: Buffer.from(JSON.stringify(input)), ...limit });
        const expected = exited(0, `${JSON.stringify({ hookSpecificOutput: { saw: input } })}\n`);
        expect(asText).toEqual(expected);
        expect(asBytes).toEqual(expected);
      });

      describe("a hook that does not read its input", () => {
        const stdin = Buffer.alloc(10 * MiB, "x");

        test.each(["never-reads-stdin-and-allows.sh", "closes-stdin.sh"])("%s is no error", async (name) => {
          expect(await run(name, { stdin })).toEqual(exited(0, ALLOW));
        });

        test("never-reads-stdin.sh times out", async () => {
          const ending = await run("never-reads-stdin.sh", { stdin, timeoutMs: 300 });
          expect(ending).toEqual({ kind: "timedOut", afterMs: 300, ...wrote("") });
        });
      });

      describe("a hook that cannot be started", () => {
        const tooLarge = { BIG: "x".repeat(4 * MiB) };
        test.each<[string, string, Partial<ProcessRequest>, RegExp]>([
          ["is not there", "no-such-hook.sh", {}, /no-such-hook\.sh does not exist/],
          ["is not executable", "not-executable.sh", {}, /not-executable\.sh is not executable/],
          [
            "names a missing interpreter",
            "interpreter-missing.sh",
            {},
            /interpreter that .*interpreter-missing\.sh names/,
          ],
          [
            "has no folder to run in",
            "allows.sh",
            { cwd: "/nonexistent" },
            /working directory \/nonexistent does not exist/,
          ],
          [
            "has a file as its folder",
            "allows.sh",
            { cwd: "/etc/passwd" },
            /working directory \/etc\/passwd does not exist/,
          ],
          ["has too large an environment", "allows.sh", { env: tooLarge }, /larger than the system accepts/],
          ["has a zero byte in its arguments", "allows.sh", { argv: ["a\0b"] }, /null bytes/],
        ])("one that %s is not started, and says why", async (_, name, overrides, message) => {
          const ending = await run(name, overrides);
          expect(ending).toEqual({ kind: "notStarted", cause: expect.any(Error) });
          expect(ending.kind === "notStarted" && ending.cause.message).toMatch(message);
          expect(groups.pids).toEqual([]);
        });
      });

      test("grandchild-leaves-the-group.mjs cannot delay the ending by a process that escaped the group kill", async () => {
        const ending = await run("grandchild-leaves-the-group.mjs", { timeoutMs: 2000 });
        const grandchild = Number("stdout" in ending && ending.stdout);
        expect(ending).toEqual({ kind: "timedOut", afterMs: 2000, ...wrote(`${grandchild}\n`) });
        await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(descriptors));
        await eventually(() => expect(isAlive(grandchild)).toBe(false));
      });

      describe("a caller who aborts", () => {
        test("gets the ending at once, with what was captured, and the hook is killed", async () => {
          const abort = new AbortController();
          const running = run("ignores-sigterm.sh", { signal: abort.signal });
          await eventually(() => groups.members().length > 1);
          await setImmediate(); // one look at the pipes
          abort.abort();
          expect(await running).toEqual({ kind: "aborted", ...wrote("ignoring\n") });
          expect(groups.members().length).toBeGreaterThan(0);
        });
      });

      test("hooks that run at the same time do not mix", async () => {
        const inputs = Array.from({ length: 12 }, (_, number) => ({ number }));
        const endings = await Promise.all(
          inputs.map((input) => run("echoes-input.mjs", { stdin: JSON.stringify(input) })),
        );
        expect(endings).toEqual(inputs.map((saw) => exited(0, `${JSON.stringify({ hookSpecificOutput: { saw } })}\n`)));
      });

      describe("a hook that dies by a signal", () => {
        test("dies-before-answering.sh is killed, not exited", async () => {
          const ending = await run("dies-before-answering.sh");
          expect(ending).toEqual({ kind: "killed", signal: "SIGKILL", ...wrote("", "about to die\n") });
        });

        test("dies-after-answering.sh keeps its answer", async () => {
          expect(await run("dies-after-answering.sh")).toEqual({ kind: "killed", signal: "SIGSEGV", ...wrote(DENY) });
        });

        test("dies-and-leaves-a-child.sh leaves nobody: its child is killed too", async () => {
          expect(await run("dies-and-leaves-a-child.sh")).toEqual({
            kind: "killed",
            signal: "SIGKILL",
            ...wrote(""),
          });
          await eventually(() => expect(groups.members()).toEqual([]));
        });
      });

      test("disposing the groups ends what still runs", async () => {
        const running = run("ignores-sigterm.sh");
        await eventually(() => groups.members().length > 1);
        groups.dispose();
        expect(await running).toEqual({ kind: "killed", signal: "SIGKILL", ...wrote("ignoring\n") });
      });
    },
  );

  describe("a hook that prints too much", () => {
    const LONG = { timeoutMs: 50_000 }; // a gigabyte through a pipe takes its time on a loaded machine
    test("prints-1gb.sh is read to its end, and the first bytes are kept", { timeout: 60_000 }, async () => {
      const before = process.memoryUsage().rss;
      const ending = await run("prints-1gb.sh", LONG);
      const growth = process.memoryUsage().rss - before;
      expect(ending).toEqual({
        kind: "exited",
        code: 0,
        leftBehind: false,
        ...wrote("\0".repeat(MiB), "", { stdout: true }),
      });
      expect(growth).toBeLessThan(400 * MiB);
    });

    test("prints-1gb-on-stderr.sh keeps its answer", { timeout: 60_000 }, async () => {
      expect(await run("prints-1gb-on-stderr.sh", { outputLimitBytes: 1000, ...LONG })).toEqual({
        ...exited(0, ALLOW),
        ...wrote(ALLOW, "\0".repeat(1000), { stderr: true }),
      });
    });

    test("json-over-the-limit.sh is cut at the limit, and says so", async () => {
      const start = '{"decision":"deny","reason":"';
      expect(await run("json-over-the-limit.sh")).toEqual({
        ...exited(0, ""),
        ...wrote(start.padEnd(MiB, "x"), "", { stdout: true }),
      });
    });

    test("output of exactly the limit is whole, and a limit inside a character costs that character", async () => {
      const whole = await run("prints-half-a-character.sh", { outputLimitBytes: 4 });
      const cut = await run("splits-a-character.mjs", { outputLimitBytes: 33 });
      expect(whole).toEqual(exited(0, "caf\ufffd"));
      expect(cut).toEqual({
        ...exited(0, ""),
        ...wrote('{"decision":"deny","reason":"caf\ufffd', "", { stdout: true }),
      });
    });
  });

  describe("a hook that does not end in time", () => {
    test("ignores-sigterm.sh is reported at once and killed with its children", async () => {
      const ending = await run("ignores-sigterm.sh", { timeoutMs: 1000, killGraceMs: 1000 });
      expect(ending).toEqual({ kind: "timedOut", afterMs: 1000, ...wrote("ignoring\n") });
      expect(groups.members().length).toBeGreaterThan(0);
      expect(groups.size).toBe(1);
      await eventually(() => expect(groups.members()).toEqual([]));
    });

    test("cleans-up-in-words.sh may print while it cleans up, and nobody waits for it", async () => {
      const ending = await run("cleans-up-in-words.sh", { timeoutMs: 1000, killGraceMs: 15_000 });
      expect(ending).toEqual({ kind: "timedOut", afterMs: 1000, ...wrote("waiting\n") });
      await eventually(() => expect(existsSync(join(folder, "cleaned"))).toBe(true));
    });

    test("denies-and-hangs.sh keeps what it said", async () => {
      const ending = await run("denies-and-hangs.sh", { timeoutMs: 1000 });
      expect(ending).toEqual({ kind: "timedOut", afterMs: 1000, ...wrote(DENY) });
    });

    test("grandchild-holds-stdout-past-timeout.sh does not delay the ending, and the grandchild is killed", async () => {
      const ending = await run("grandchild-holds-stdout-past-timeout.sh", { timeoutMs: 1000, killGraceMs: 1000 });
      expect(ending).toEqual({ kind: "timedOut", afterMs: 1000, ...wrote("waiting\n") });
      await eventually(() => expect(groups.members()).toEqual([]));
    });
  });

  describe("a hook that leaves something behind after a clean exit", () => {
    const left = { ...exited(0, ALLOW), leftBehind: true };

    test.each(["grandchild-holds-stdout.sh", "grandchild-runs-on-silently.sh"])(
      "%s ends, and its grandchild is let be",
      async (name) => {
        expect(await run(name)).toEqual(left);
        expect(groups.size).toBe(0);
        expect(groups.members()).toHaveLength(1);
      },
    );

    test("grandchild-prints-later.sh does not lose its grandchild to a closed pipe", async () => {
      const marker = join(folder, "marker");
      expect(await run("", { argv: [fixture("grandchild-prints-later.sh"), marker] })).toEqual(left);
      expect(existsSync(marker)).toBe(false);
      await eventually(() => existsSync(marker));
    });
  });

  describe("a caller who aborts", () => {
    test("before the start prevents the start", async () => {
      const ending = await run("allows.sh", { signal: AbortSignal.abort() });
      expect(ending).toEqual({ kind: "aborted", ...wrote("") });
      expect(groups.pids).toEqual([]);
    });

    test("after the end changes nothing, and the signal holds no listener", async () => {
      const { signal } = new AbortController();
      expect(await run("allows.sh", { signal })).toEqual(exited(0, ALLOW));
      expect(await run("sleeps.sh", { signal, timeoutMs: 100 })).toMatchObject({ kind: "timedOut" });
      expect(getEventListeners(signal, "abort")).toEqual([]);
    });
  });
});
