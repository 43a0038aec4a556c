import type { LoadedSettings } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { CALLER_OPTIONS, ENV_OPTION, INPUT_OPTION, readAbilityInput, TRUST_OPTION } from "../abilities/runnerFlags.ts";
import { TASK_STATUSES } from "../abilities/store/task.ts";
import type { TaskStore } from "../abilities/store/taskStore.ts";
import { showCreated, showRun } from "../abilities/views/outcomeView.ts";
import { taskDetails, taskJson, taskTable } from "../abilities/views/taskView.ts";
import { assertMayDecide } from "../decisions/decide.ts";
import { recordApproval } from "../journal/recordApproval.ts";
import { readSettings } from "../project/readSettings.ts";
import { IGNORE_BROKEN_OPTION } from "../project/unreadPolicy.ts";
import { upgradeNotices } from "../state/upgradeNotices.ts";
import type { Command, CommandGroup, Option, Parameter } from "../terminal/command.ts";
import { decisionLines } from "../terminal/decisionText.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { withProgress } from "../terminal/progress.ts";
import { visibleJson } from "../terminal/visible.ts";

const MOST_LISTED = 100;
const KEY: Parameter = { name: "key", description: "the task's key", required: true };
const REASON: Option = { flags: "--reason <text>", description: "the reason, which `task show` prints" };

const create: Command = {
  name: "create",
  summary: "ask the hooks whether an ability is available, and create a task for it",
  details: "Exit code: 0 created, 1 a mistake, 2 a hook refused it, 3 a person must decide.",
  parameters: [{ name: "ability", description: "its id or an operation key", required: true }],
  options: [INPUT_OPTION, ENV_OPTION, ...CALLER_OPTIONS, TRUST_OPTION, IGNORE_BROKEN_OPTION],
  examples: [
    [`hookline task create signup_e2e_test --input '{"suite":"smoke"}' --env staging`, "prints the task's key"],
    ["hookline task create report --input - --json < input.json", "from a program"],
  ],
  async run(io, { args: [name = ""], options }) {
    const input = await readAbilityInput(io, textIn(options, "input"));
    const { withRunner } = await import("../abilities/withRunner.ts");
    return withRunner(io, options, async ({ runner }) => {
      const outcome = await withProgress(io, () => "asking the hooks", runner.createTask(name, input));
      return showCreated(outcome, io, { json: options.json === true });
    });
  },
};

const run: Command = {
  name: "run",
  summary: "ask the hooks whether a task may run now, and run it",
  details:
    "A task runs once, unless you pass --again.\nExit code: 0 done, 1 it failed, 2 a hook denied it, 3 a person must decide.",
  parameters: [KEY],
  options: [
    { flags: "--again", description: "even if it has run or was denied or interrupted" },
    ...CALLER_OPTIONS,
    TRUST_OPTION,
    IGNORE_BROKEN_OPTION,
  ],
  examples: [["hookline task run t-4k7v0c9xwa", "the key that `task create` printed"]],
  async run(io, { args: [key = ""], options }) {
    const { withRunner } = await import("../abilities/withRunner.ts");
    return withRunner(io, options, async ({ runner }) => {
      const running = runner.runTask(key, { again: options.again === true });
      const outcome = await withProgress(io, () => `running ${key}`, running);
      return showRun(outcome, io, { json: options.json === true });
    });
  },
};

const list: Command = {
  name: "list",
  summary: "show the tasks of this project, newest first",
  parameters: [],
  options: [{ flags: "--status <status>", description: "only those with this status", completes: TASK_STATUSES }],
  examples: [["hookline task list --status awaiting_human", "tasks that wait for you"]],
  async run(io, { options }) {
    const given = textIn(options, "status");
    const status = given === undefined ? undefined : oneOf(given, TASK_STATUSES, "--status");
    return withStore(io, async (store) => {
      const { tasks, total } = await store.list({ status, limit: MOST_LISTED });
      if (options.json) io.stdout(`${visibleJson({ tasks: tasks.map(taskJson), total })}\n`);
      else if (total === 0) io.stdout("No task matches.\n");
      else {
        const more = total > tasks.length ? [`… and ${total - tasks.length} older ones`] : [];
        io.stdout(`${[...taskTable(tasks, io), ...more].join("\n")}\n`);
      }
      return ExitCode.ok;
    });
  },
};

const show: Command = {
  name: "show",
  summary: "show a task with its purpose and result",
  parameters: [KEY],
  options: [],
  examples: [["hookline task show t-4k7v0c9xwa --json", "for a program"]],
  async run(io, { args: [key = ""], options }) {
    return withStore(io, async (store) => {
      const task = await store.get(key);
      const lines = options.json ? [visibleJson(taskJson(task))] : taskDetails(task, io);
      io.stdout(`${lines.join("\n")}\n`);
      return ExitCode.ok;
    });
  },
};

const approve: Command = {
  name: "approve",
  summary: "approve a task that is waiting for a human, for its next run",
  details:
    "Shows and answers the questions that hooks have asked so far. A new question needs another approval, and a hook can still deny the run.",
  parameters: [KEY],
  options: [REASON],
  examples: [["hookline task approve t-4k7v0c9xwa", "then `hookline task run t-4k7v0c9xwa`"]],
  run: (io, { args: [key = ""], options }) => decide(io, key, "approve", options),
};

const deny: Command = {
  name: "deny",
  summary: "deny a task, so that it does not run",
  parameters: [KEY],
  options: [REASON],
  examples: [[`hookline task deny t-4k7v0c9xwa --reason "not before Monday"`, "a person can still approve it later"]],
  run: (io, { args: [key = ""], options }) => decide(io, key, "deny", options),
};

export const task: CommandGroup = {
  name: "task",
  summary: "create and run tasks for abilities, and decide about waiting ones",
  commands: [create, run, list, show, approve, deny],
};

function decide(io: Io, key: string, verdict: "approve" | "deny", options: Readonly<Record<string, unknown>>) {
  return withStore(io, async (store, loaded) => {
    await assertMayDecide(io, loaded, { command: `hookline task ${verdict} ${key}`, about: { task: key } });
    const { decideTask } = await import("../abilities/decideTask.ts");
    const reason = textIn(options, "reason") ?? "";
    const decided = await decideTask(store, key, { verdict, reason });
    const { asks = [] } = decided.approval ?? {};
    await recordApproval(io, loaded, {
      callId: key,
      subject: decided.abilityId,
      input: decided.input,
      approved: verdict === "approve",
      reason: reason || undefined,
      by: "person",
      hooks: asks.flatMap(({ hooks }) => hooks),
      durationMs: 0,
    });
    const answered = asks.flatMap(({ hooks, reason }) => decisionLines(`${hooks.join(", ")}: ${reason}`));
    const next = ["approved", ...answered, `hookline task run ${key}`].join("\n  ");
    const said = verdict === "approve" ? next : "denied";
    io.stdout(options.json ? `${visibleJson(taskJson(decided))}\n` : `${key} ${said}\n`);
    return ExitCode.ok;
  });
}

/** Only reads and writes the store: starts no code of the project and needs no trust. */
async function withStore(io: Io, work: (store: TaskStore, loaded: LoadedSettings) => Promise<number>): Promise<number> {
  const loaded = await readSettings(io);
  upgradeNotices(io, loaded).forEach(noticeTo(io));
  // Loaded lazily: other commands do not need it.
  const { TaskStore } = await import("../abilities/store/taskStore.ts");
  const store = new TaskStore(placeOf(io, loaded), noticeTo(io));
  try {
    return await work(store, loaded);
  } finally {
    await store.close();
  }
}
