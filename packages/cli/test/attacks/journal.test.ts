import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { BINARY, endOf, eventually, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, type Recorded, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

const SECRET = "zq-5kw83hf7";

/** Answers with a field of its input, from which the secret is taken out. */
const TAKES_OUT = `
const text = await new Response(process.stdin).text();
const field = process.argv[2];
const clean = JSON.parse(JSON.stringify(JSON.parse(text)[field]).replaceAll(/zq-\\w+/g, "[gone]"));
console.log(JSON.stringify({ hookSpecificOutput: { [field]: clean } }));
`;
const takesOut = (on: string, field: string): Hook => ({
  on,
  name: `clean-${field}`,
  runs: `printf '%s' "$input" | node "$HOOKLINE_PROJECT_DIR/../takes-out.mjs" ${field}`,
});
const blocks = (on: string): Hook => ({ on, name: "stop-it", answers: { decision: "block", reason: "Not this." } });
const echoes = (on: string, more: Partial<Hook> = {}): Hook => ({
  on,
  name: "echo",
  runs: "printf 'I saw %s\\n' \"$input\" >&2",
  ...more,
});

/** Everything that is kept of a session, wherever a version keeps it. */
function kept({ machine }: AgentProject, name: RegExp): string {
  return [machine.home, machine.project]
    .flatMap((folder) => filesIn(join(folder, ".hookline")))
    .filter((file) => name.test(file))
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

const JOURNAL = /journal\.db/;
const ALL = /./;
const CODE = `The code is ${SECRET}, take it.`;
const READ: readonly Recorded[] = [calls("read_file", { file_path: "code.txt" }), says("Done.")];

interface Case {
  readonly hooks: readonly Hook[];
  readonly answers?: readonly Recorded[];
  readonly prompt?: string;
  readonly where?: RegExp;
}

describe("what a hook took out does not live on", () => {
  const held = { settings: { hold: true } };
  const CASES: readonly [string, Case][] = [
    ["of an answer", { hooks: [{ ...takesOut("AfterModel", "llm_response"), ...held }], answers: [says(CODE)] }],
    [
      "of an answer that a guard saw before, and repeated",
      {
        hooks: [{ ...echoes("AfterModel"), sequential: true, ...held }, takesOut("AfterModel", "llm_response")],
        answers: [says(CODE)],
      },
    ],
    [
      "of an answer that a hook in the background repeated later",
      {
        hooks: [
          { ...takesOut("AfterModel", "llm_response"), ...held },
          echoes("AfterModel", { settings: { blocking: false }, runs: "sleep 1; printf 'I saw %s\\n' \"$input\"" }),
        ],
        answers: [says(CODE)],
      },
    ],
    ["of an answer that was blocked", { hooks: [{ ...blocks("AfterModel"), ...held }], answers: [says(CODE)] }],
    ["of a file that was read", { hooks: [takesOut("AfterTool", "tool_response")], answers: READ }],
    ["of a file that was withheld", { hooks: [blocks("AfterTool")], answers: READ }],
    ["of a prompt", { hooks: [takesOut("BeforeAgent", "prompt")], prompt: CODE }],
    [
      "of a prompt that a hook is given again when the turn ends",
      { hooks: [takesOut("BeforeAgent", "prompt"), { on: "AfterAgent", name: "looks" }], prompt: CODE },
    ],
    [
      "of a prompt that a hook repeats when the turn ends",
      { hooks: [takesOut("BeforeAgent", "prompt"), echoes("AfterAgent")], prompt: CODE, where: JOURNAL },
    ],
    [
      "of a prompt that another hook was given before",
      { hooks: [{ on: "PromptSubmit", name: "looks" }, takesOut("BeforeAgent", "prompt")], prompt: CODE },
    ],
    [
      "of a prompt that another hook repeated before",
      { hooks: [echoes("PromptSubmit"), takesOut("BeforeAgent", "prompt")], prompt: CODE, where: JOURNAL },
    ],
    ["of a request", { hooks: [takesOut("BeforeModel", "llm_request")], prompt: CODE, where: JOURNAL }],
  ];

  test.each(CASES)("%s", async (_what, { hooks, answers = [says("Done.")], prompt = "go", where = ALL }) => {
    const project = new AgentProject({ hooks, files: { "code.txt": CODE } });
    project.machine.write({ "takes-out.mjs": TAKES_OUT });
    await project.run({ answers, prompt });
    // The hooks were given it, and there is a record of that.
    expect(JSON.stringify(hooks.map(({ name }) => project.seen(name)))).toContain(SECRET);
    expect(kept(project, where)).not.toContain(SECRET);
    expect(kept(project, JOURNAL)).toContain("digest");
  });
});

/** A clock so many days ahead. */
const clock = (days: number) => `
const ahead = ${days} * 86400000;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) { args.length === 0 ? super(RealDate.now() + ahead) : super(...args); }
  static now() { return RealDate.now() + ahead; }
};
`;

describe("a clock that jumped has nothing removed", () => {
  const counts = z.looseObject({ intact: z.number(), findings: z.array(z.unknown()) });

  async function jumped(days: readonly number[], settings: object): Promise<{ before: number; after: number }> {
    const project = new AgentProject({ hooks: [{ on: "SessionStart", name: "seen" }] });
    const { machine } = project;
    machine.write({ [USER_FILE]: settings });
    const verified = async () => {
      const { stdout } = await machine.cli(["log", "--verify", "--json"]);
      return counts.parse(JSON.parse(stdout)).intact;
    };
    await project.run({ answers: [says("hello")] });
    const before = await verified();
    for (const ahead of days) {
      machine.write({ "clock.cjs": clock(ahead) });
      // As an argument of Node, the clock is also that of the journal's thread.
      const model = `replay:${join(machine.dir, "answers.jsonl")}`;
      const args = ["--require", join(machine.dir, "clock.cjs"), BINARY, "run", "-p", "go", "--model", model];
      execFileSync(process.execPath, [...args, "--trust-project"], {
        cwd: machine.project,
        env: machine.env(),
        stdio: "ignore",
      });
    }
    expect(machine.has(PROJECT_FILE)).toBe(true);
    return { before, after: await verified() };
  }

  test.each<[string, readonly number[], object]>([
    ["once", [400], {}],
    ["twice, and further each time", [400, 900], {}],
    ["with records that are kept for an hour only", [400], { hooksConfig: { journal: { maxAge: "1h" } } }],
  ])("%s", async (_how, days, settings) => {
    const { before, after } = await jumped(days, settings);
    expect(before).toBeGreaterThan(0);
    expect(after).toBeGreaterThanOrEqual(before * (1 + days.length));
  });
});

/**
 * Holds a lease on a file: whoever opens it waits in the kernel, where no thread can be ended, as on a disk that does not answer.
 * Prints "waiting" when somebody does.
 */
const LEASE = `
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, lambda *_: os.write(1, b"waiting\\n"))
file = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("leased", flush=True)
sys.stdin.read()
`;

describe.runIf(process.platform === "linux" && hasProgram("python3"))("a disk that does not answer", () => {
  const SLEEP = calls("run_shell_command", { command: ": > started; exec sleep 300" });
  const guard: Hook = { on: "BeforeTool", name: "guard" };
  // The kernel breaks a lease after 45 s.
  const SOON_MS = 25_000;

  /** The program under way in a project whose journal cannot be opened. */
  async function stuck(hooks: readonly Hook[], answers: readonly Recorded[]) {
    const project = new AgentProject({ hooks });
    const { machine } = project;
    await project.run({ answers: [calls("list_directory", { dir_path: "." }), says("Done.")] });
    const [journal = ""] = [machine.home, machine.project]
      .flatMap((folder) => filesIn(join(folder, ".hookline")))
      .filter((file) => file.endsWith("/journal.db"));
    const holder = spawn("python3", ["-c", LEASE, journal]);
    onTestFinished(() => void holder.kill("SIGKILL"));
    let said = "";
    holder.stdout.on("data", (chunk) => {
      said += chunk;
    });
    await eventually(() => said.includes("leased"), SOON_MS);
    const { child } = project.start({ answers });
    const startedAt = performance.now();
    const ended = endOf(child).then((end) => ({ ...end, ms: performance.now() - startedAt }));
    child.stdin?.end();
    // On a busy machine, the journal's thread can be later than the first tool.
    const isStuck = () => machine.has("project/started") && said.includes("waiting");
    return { child, ended, machine, isStuck };
  }

  test("does not keep a program that has its answer", async () => {
    const { ended } = await stuck([guard], [calls("list_directory", { dir_path: "." }), says("Done.")]);
    const { stdout, stderr, ms } = await ended;
    expect(JSON.parse(stdout)).toMatchObject({ response: "Done." });
    expect(stderr).toMatch(/The journal took too long: \d+ entries were not recorded/);
    expect(ms).toBeLessThan(SOON_MS);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("does not keep a program that gets %s", async (signal) => {
    const { child, ended, isStuck } = await stuck([guard, { on: "SessionEnd", name: "end" }], [SLEEP]);
    await eventually(isStuck, SOON_MS);
    child.kill(signal);
    expect((await ended).ms).toBeLessThan(SOON_MS);
    // What a shell reads as 130.
    expect(child.signalCode).toBe("SIGINT");
  });

  test("does not keep hooks alive after a second Ctrl-C", async () => {
    const slow: Hook = {
      on: "SessionEnd",
      name: "end",
      runs: "[ ! -e started ] || { echo $$ > ../seen/pid; sleep 60; }",
    };
    const { child, ended, machine, isStuck } = await stuck([guard, slow], [SLEEP]);
    await eventually(isStuck, SOON_MS);
    child.kill("SIGINT");
    await eventually(() => machine.has("seen/pid") && machine.read("seen/pid").endsWith("\n"), SOON_MS);
    child.kill("SIGINT");
    expect((await ended).ms).toBeLessThan(SOON_MS);
    await eventually(() => !isAlive(Number(machine.read("seen/pid"))), 10_000);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
