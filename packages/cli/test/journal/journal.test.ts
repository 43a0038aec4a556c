import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import SqlDatabase from "libsql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { verifyJournal } from "../../../journal/src/reader/verifyJournal.ts";
import { recordBody } from "../../../journal/src/records/record.ts";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { type Files, Machine, PROJECT_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";

const row = z.object({
  kind: z.string(),
  session: z.string(),
  turn: z.number(),
  event_id: z.string().nullable(),
  event: z.string().nullable(),
  subject: z.string().nullable(),
  hook: z.string().nullable(),
  outcome: z.string(),
  duration_us: z.number(),
  body: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(recordBody.strict()),
});

/** Everything in a journal, in order. `late` says something about the machine, not about what happened. */
function recordsOf({ dir, state }: Machine, kinds = "!= 'late'"): z.infer<typeof row>[] {
  const db = new SqlDatabase(join(dir, state, "journal.db"), { readonly: true });
  try {
    return z.array(row).parse(db.prepare(`SELECT * FROM records WHERE kind ${kinds} ORDER BY id`).all());
  } finally {
    db.close();
  }
}

function machineWith(hooks: Files, files: Files = {}): Machine {
  return new Machine({ [PROJECT_FILE]: { hooks }, ...files });
}

const command = (name: string, text: string, more: Files = {}) => ({
  hooks: [{ type: "command", name, command: text, timeout: "30s", onError: "allow", ...more }],
});

const REPOSITORY = fileURLToPath(new URL("../../../..", import.meta.url));

/** What a hook finds in the journal about the tool calls so far. */
const LOOK = `
  try {
    const db = new (require(process.argv[1]))(process.argv[2], { readonly: true });
    console.log(JSON.stringify(db.prepare("SELECT outcome FROM records WHERE kind = ? AND event = ?").all(["event", "BeforeTool"])));
  } catch { console.log("nothing"); }`;

const NO = `sh -c 'cat >/dev/null; echo "not today" >&2; exit 2'`;

describe("hookline fire", () => {
  test("keeps the event, every run with its input, output and ending, and who was skipped", async () => {
    const machine = machineWith({
      BeforeTool: [
        { matcher: "write_file", ...command("guard", NO) },
        command("crashes", "sh -c 'echo oh >&2; exit 7'"),
        command("later", "true", { blocking: false }),
        command("gone", "./gone.sh"),
      ],
    });
    const { code } = await machine.cli(["fire", "BeforeTool", "tool_name=write_file", "--trust-project"]);
    expect(code).toBe(2);
    const records = recordsOf(machine);
    const [event] = records;
    expect(event).toMatchObject({
      kind: "event",
      turn: 0,
      event: "BeforeTool",
      subject: "write_file",
      hook: null,
      outcome: "block",
      body: {
        reason: "not today",
        sequential: false,
        success: false,
        input: { hook_event_name: "BeforeTool", tool_name: "write_file" },
      },
    });
    const runs = records.filter(({ kind }) => kind !== "event");
    expect(new Set(records.map(({ event_id }) => event_id)).size).toBe(1);
    expect(runs.map(({ kind, hook, outcome }) => [kind, hook, outcome])).toEqual([
      ["skip", "gone", "skipped"],
      ["run", "guard", "block"],
      ["run", "crashes", "failed"],
      ["run", "later", "allow"],
    ]);
    const bodies = new Map(runs.map(({ hook, body }) => [hook, body]));
    expect(bodies.get("guard")).toMatchObject({
      reason: "not today",
      hook: { source: "project", type: "command", place: expect.stringMatching(/settings\.json:\d+:\d+$/) },
      exitCode: 2,
      stderr: "not today\n",
      applied: true,
    });
    expect(bodies.get("crashes")).toMatchObject({ exitCode: 7, failure: "exitCode", stderr: "oh\n" });
    expect(bodies.get("later")).toMatchObject({ applied: false });
  });

  test("keeps who changed which field, from what, and what the others saw then", async () => {
    const machine = machineWith({
      BeforeTool: [
        command("rewrites", `echo '{"hookSpecificOutput":{"tool_input":{"content":"clean","added":1}}}'`),
        command("watches", "true"),
      ],
    });
    await machine.cli(["fire", "BeforeTool", "tool_input.content=dirty", "--trust-project"]);
    const [event, ...runs] = recordsOf(machine);
    expect(event?.body.input).toMatchObject({ tool_input: { content: "dirty" } });
    expect(event?.body.rewrites).toEqual([
      { path: ["tool_input", "content"], before: "dirty", after: "clean", hook: "rewrites" },
      { path: ["tool_input", "added"], after: 1, hook: "rewrites" },
    ]);
    const again = runs.find(({ hook, body }) => hook === "watches" && body.pass === "second");
    expect(again?.body.input).toMatchObject({ second_pass: true, tool_input: { content: "clean" } });
  });

  test("keeps nothing, and makes no file, where there are no hooks", async () => {
    const machine = machineWith({});
    await machine.cli(["fire", "BeforeTool", "tool_name=read_file", "--trust-project"]);
    expect(machine.has(`${machine.state}/journal.db`)).toBe(false);
  });

  test("counts events that nothing matched beside those that something did", async () => {
    const machine = machineWith({ BeforeTool: [{ matcher: "write_file", ...command("guard", NO) }] });
    for (const tool of ["write_file", "read_file", "list_directory"]) {
      await machine.cli(["fire", "BeforeTool", `tool_name=${tool}`, "--trust-project"]);
    }
    const db = new SqlDatabase(join(machine.dir, machine.state, "journal.db"), { readonly: true });
    expect(db.prepare("SELECT event, matched, unmatched FROM event_days").all()).toEqual([
      { event: "BeforeTool", matched: 1, unmatched: 2 },
    ]);
    db.close();
  });

  test("makes a file that only its owner can read, and nothing in the project", async () => {
    const machine = machineWith({ BeforeTool: [command("guard", NO)] });
    await machine.cli(["fire", "BeforeTool", "--trust-project"]);
    const mode = (path: string) => statSync(join(machine.dir, path)).mode & 0o777;
    expect([mode(machine.state), mode(`${machine.state}/journal.db`)]).toEqual([0o700, 0o600]);
    expect(mode("home/.hookline/journals.db")).toBe(0o600);
    expect(readdirSync(join(machine.project, ".hookline"))).toEqual(["settings.json"]);
  });

  test("keeps nothing where a person has switched the journal off", async () => {
    const machine = machineWith(
      { BeforeTool: [command("guard", NO)] },
      { "home/.hookline/settings.json": { hooksConfig: { journal: { enabled: false } } } },
    );
    expect((await machine.cli(["fire", "BeforeTool", "--trust-project"])).code).toBe(2);
    expect(machine.has(`${machine.state}/journal.db`)).toBe(false);
  });

  test("keeps what was cut off by Ctrl-C as abandoned", async () => {
    const machine = machineWith({ BeforeTool: [command("later", "sleep 60", { blocking: false })] });
    const child = machine.start(["fire", "BeforeTool", "--trust-project"]);
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdout?.once("data", () => child.kill("SIGINT"));
    await closed;
    expect(recordsOf(machine).map(({ kind, hook, outcome }) => [kind, hook, outcome])).toEqual([
      ["event", null, "allow"],
      ["run", "later", "abandoned"],
    ]);
  });
});

describe("hookline run", () => {
  const WRITE = { file_path: "a.txt", content: "new\n" };
  const hooks: readonly Hook[] = [
    { on: "SessionStart", name: "greets", answers: { hookSpecificOutput: { additionalContext: "hello" } } },
    { on: "BeforeTool", name: "asks", answers: { decision: "ask", reason: "sure?" } },
  ];

  test("keeps turns, tools and requests beside the hooks, and what became of questions", async () => {
    const project = new AgentProject({ hooks });
    await project.run({ answers: [calls("write_file", WRITE), says("Done.")], mode: "yolo" });
    const records = recordsOf(project.machine);
    const said = records.map(({ kind, event, subject, hook, outcome, turn }) =>
      [kind, event ?? "", subject ?? "", hook ?? "", outcome, turn].join(" ").replaceAll(/ +/g, " "),
    );
    expect(said).toEqual([
      "event SessionStart startup allow 0",
      "run SessionStart startup greets allow 0",
      expect.stringMatching(/^call replay\S* success 1$/),
      "event BeforeTool write_file ask 1",
      "run BeforeTool write_file asks ask 1",
      "approval Approval write_file denied 1",
      expect.stringMatching(/^call replay\S* success 1$/),
      expect.stringMatching(/^call replay\S* finished 1$/),
      "unmatched 0",
    ]);
    const approval = records.find(({ kind }) => kind === "approval");
    expect(approval?.body).toMatchObject({ by: "nobody", hooks: ["asks"], reason: "sure?", input: WRITE });
    expect(new Set(records.map(({ session }) => session)).size).toBe(1);
  });

  test("has kept a block before the turn goes on, or says that it went on too early", async () => {
    const looks = `node -e '${LOOK}' "${join(REPOSITORY, "node_modules/libsql/index.js")}" "$(echo "$HOME"/.hookline/projects/*/journal.db)"`;
    const project = new AgentProject({
      hooks: [
        { on: "BeforeTool", name: "guard", answers: { decision: "deny", reason: "no" } },
        { on: "BeforeModel", name: "looks", runs: `${looks} >> "$HOOKLINE_PROJECT_DIR/../seen/journal"` },
      ],
    });
    await project.run({ answers: [calls("write_file", WRITE), says("Then not.")], mode: "yolo" });
    const [, afterBlock] = project.machine.read("seen/journal").trim().split("\n");
    const wasLate = recordsOf(project.machine, "= 'late'").length > 0;
    expect([afterBlock, wasLate]).toEqual(wasLate ? [expect.any(String), true] : ['[{"outcome":"block"}]', false]);
  });
});

/** Only what was acknowledged is missed: it waits until the beginning of the session is, and a moment longer. */
const DELETES = `cd "$HOME"/.hookline/projects/*
tries=0
until grep -q SessionStart journal.db* || [ $tries -gt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
sleep 1
rm -f journal.db*`;

test("a journal that is deleted during a session is begun anew, and that is found", async () => {
  const project = new AgentProject({
    hooks: [
      { on: "SessionStart", name: "starts", answers: {} },
      { on: "BeforeModel", name: "deletes", runs: DELETES },
      { on: "SessionEnd", name: "ends", answers: {} },
    ],
  });
  await project.run({ answers: [says("Hello.")] });
  const { machine } = project;
  expect(recordsOf(machine).map(({ event }) => event)).toContain("SessionEnd");
  const { findings } = await verifyJournal(machine.place);
  expect(findings).toEqual([{ kind: "removed", from: 1, to: expect.any(Number) }]);
});

test("no program of a project can be told apart from what it wrote: the chain of all that ran verifies", async () => {
  const project = new AgentProject({ hooks: [{ on: "BeforeTool", name: "guard", answers: { decision: "deny" } }] });
  const { machine } = project;
  await Promise.all([
    project.run({ answers: [says("Hello.")] }),
    machine.cli(["fire", "BeforeTool", "--trust-project"]),
    machine.cli(["fire", "BeforeTool", "--trust-project"]),
  ]);
  expect(await verifyJournal(machine.place)).toMatchObject({ unknown: 0, findings: [] });
});
