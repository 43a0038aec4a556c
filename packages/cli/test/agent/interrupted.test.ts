import { expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { endOf, eventually } from "../support/machine.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";

const SLEEP = { name: "run_shell_command", args: { command: ": > started; exec sleep 300" } };
const PATIENCE_MS = 30_000;
const ENDS: Hook = { on: "SessionEnd", name: "ends", answers: {} };

/** Runs until the agent's own command is under way. */
async function started(project: AgentProject) {
  const { child, look } = project.start({ answers: [callsAll([SLEEP, SLEEP]), says("Never.")] });
  const ended = endOf(child).then((end) => ({ end, at: performance.now() }));
  child.stdin?.end();
  await eventually(() => project.machine.has("project/started"), PATIENCE_MS);
  return { child, look, ended };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the session properly: its hooks run, its calls are closed",
  async (signal) => {
    const project = new AgentProject({ hooks: [ENDS] });
    const { child, look, ended } = await started(project);
    child.kill(signal);
    const run = look((await ended).end);
    expect(run.code).toBe(130);
    expect(run.seen("ends")).toMatchObject([{ reason: "other" }]);
    run.expectConsistent();
    expect(run.history.slice(-2)).toEqual([
      "run_shell_command failed: Cancelled while the tool ran",
      expect.stringContaining("run_shell_command failed: "),
    ]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      cancelled: true,
      toolCalls: [{ status: "cancelled" }, { status: "cancelled" }],
    });
  },
);

test("after an interruption the hooks of the end have three seconds, not more", async () => {
  const project = new AgentProject({ hooks: [{ ...ENDS, runs: "sleep 60" }] });
  const { child, look, ended } = await started(project);
  const interruptedAt = performance.now();
  child.kill("SIGINT");
  const { end, at } = await ended;
  const run = look(end);
  expect(run.code).toBe(130);
  run.expectConsistent();
  // Three seconds, and some more for a machine that is busy; without the limit it would be sixty.
  expect(at - interruptedAt).toBeLessThan(15_000);
});

test("a second interruption ends it at once, with everything it started", async () => {
  const slow: Hook = { ...ENDS, runs: `echo $$ > "$HOOKLINE_PROJECT_DIR/../seen/pid"; sleep 60` };
  const project = new AgentProject({ hooks: [slow] });
  const { child, look, ended } = await started(project);
  child.kill("SIGINT");
  await eventually(
    () => project.machine.has("seen/pid") && project.machine.read("seen/pid").endsWith("\n"),
    PATIENCE_MS,
  );
  child.kill("SIGINT");
  const run = look((await ended).end);
  expect(run.code).toBe(130);
  const pid = Number(project.machine.read("seen/pid"));
  await eventually(() => !isAlive(pid), PATIENCE_MS);
});

test("--timeout ends the turn as a failure, tells the hooks why, and keeps what was done", async () => {
  const project = new AgentProject({ hooks: [ENDS] });
  const answers = [calls("write_file", { file_path: "a.txt", content: "a" }), callsAll([SLEEP]), says("Never.")];
  const run = await project.run({ answers, args: ["--timeout", "3s"] });
  expect([run.code, run.file("a.txt")]).toEqual([1, "a"]);
  expect(JSON.parse(run.stdout)).toMatchObject({
    error: { code: "TURN_TIMED_OUT", what: "The turn did not end within 3 s." },
    toolCalls: [{ status: "success" }, { status: "cancelled" }],
  });
  expect(run.seen("ends")).toMatchObject([{ reason: "timeout" }]);
  expect(run.transcript.at(-1)).toMatchObject({ type: "end", reason: "timeout" });
});

test("a hook that is slow is cut off by the timeout, too", async () => {
  const slow: Hook = { on: "BeforeModel", name: "slow", runs: "sleep 60" };
  const run = await new AgentProject({ hooks: [ENDS, slow] }).run({
    answers: [says("Never.")],
    args: ["--timeout", "2s"],
  });
  expect([run.code, run.requests.length]).toEqual([1, 0]);
  expect(run.seen("ends")).toMatchObject([{ reason: "timeout" }]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
