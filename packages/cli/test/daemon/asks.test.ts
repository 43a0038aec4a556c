import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { hasCompiler } from "../../../client/test/support/compiler.ts";
import { askDaemon } from "../../src/daemon/askDaemon.ts";
import { decidedSchema, questionsSchema } from "../../src/daemon/controlSchemas.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { processFacts } from "../../src/terminal/processes.ts";
import { AgentProject } from "../support/agentProject.ts";
import { endOf } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hookline } from "./support/commands.ts";
import { command, DaemonHome, decisionIn, on } from "./support/daemonHome.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const ASKS = on("BeforeTool", "*", command("asks", `echo '{"decision":"ask","reason":"is that wise?"}'`));

/** A call of the Gemini CLI, which cannot ask a person without its terminal, and the question that it leads to. */
async function asked(home: DaemonHome, deadlines = { deadlineMs: 5_000, askDeadlineMs: 60_000 }) {
  const tool = { tool_name: "run_shell_command", tool_input: { command: "rm -rf x\u001b[2J" } };
  const answer = home.event("BeforeTool", tool, { host: "gemini", ...deadlines });
  await vi.waitFor(async () => expect(await home.questions()).toHaveLength(1), PATIENCE);
  const [question] = await home.questions();
  return { id: question?.id ?? "", answer: async () => JSON.parse((await answer).stdout.toString() || "{}") };
}

/** What the daemon answers to a program that an agent started and that writes to its socket. */
function askBelowAgent({ socket, dir }: DaemonHome, request: object): unknown {
  const ask = `const socket = require("node:net").connect(process.argv[1]);
    socket.on("data", (answer) => process.stdout.write(answer, () => process.exit()));
    socket.write(process.argv[2] + "\\n");`;
  const start = `require("node:child_process").spawnSync(process.execPath, ["-e", ...process.argv.slice(1)], { stdio: "inherit" })`;
  const args = ["-e", start, ask, socket, JSON.stringify(request)];
  const { stdout } = spawnSync(process.execPath, args, { argv0: "claude", cwd: dir, encoding: "utf8" });
  return JSON.parse(stdout);
}

test.runIf(hasCompiler)("a person answers for an agent that cannot ask, and the first answer counts", async () => {
  const home = new DaemonHome(ASKS);
  const first = await asked(home);
  const shown = hookline(home, "asks").stdout;
  expect(shown).toContain(`${first.id}  gemini: BeforeTool run_shell_command`);
  expect(shown).toContain("is that wise?");
  expect(shown).toContain("rm -rf x\\u001b[2J"); // as the model wrote it, and nothing that acts on the terminal
  expect(hookline(home, "approve", first.id)).toMatchObject({ code: 0, stdout: "Approved.\n" });
  expect((await first.answer()).decision).not.toBe("deny");
  expect(hookline(home, "deny", first.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no open question"),
  });
  const second = await asked(home);
  expect(hookline(home, "deny", second.id, "not", "today")).toMatchObject({ code: 0, stdout: "Denied.\n" });
  expect(await second.answer()).toMatchObject({ decision: "deny", reason: expect.stringContaining("not today") });
  expect(hookline(home, "asks").stdout).toBe("No question is open.\n");
});

test.runIf(hasCompiler)("an agent puts the question itself, unless the user has it put by hookline", async () => {
  const home = new DaemonHome(ASKS);
  expect(decisionIn(await home.bash("ls"))).toEqual({ decision: "ask", reason: "is that wise?" });
  home.writeSettings({ ...ASKS, hooksConfig: { asks: "hookline" } });
  await home.kill();
  const answer = home.bash("ls", { askDeadlineMs: 60_000, session: "another" });
  await vi.waitFor(async () => expect(await home.questions()).toHaveLength(1), PATIENCE);
  const [question] = await home.questions();
  expect(await home.decide(question?.id ?? "", true)).toMatchObject({ kind: "decided" });
  expect(decisionIn(await answer).decision).not.toBe("ask");
  const events = hookline(home, "log", "--json").stdout;
  expect(events).toContain('"seat":"command"');
});

test.runIf(hasCompiler)("the answer is no at the deadline, and when the daemon ends", async () => {
  const home = new DaemonHome(ASKS);
  const late = await asked(home, { deadlineMs: 2_000, askDeadlineMs: 3_000 });
  expect(await late.answer()).toMatchObject({
    decision: "deny",
    reason: expect.stringContaining("no person answered"),
  });
  const open = await asked(home);
  const { pid } = await home.status();
  await home.ask({ ask: "stop" });
  expect(await open.answer()).toMatchObject({ decision: "deny", reason: expect.stringContaining("hookline ended") });
  await vi.waitFor(() => expect(processFacts(pid)).toBeUndefined(), PATIENCE);
});

test.runIf(hasCompiler)("without a terminal, and in what an agent starts, no command decides", async () => {
  const home = new DaemonHome({ ...ASKS, approvals: { withoutTerminal: false } });
  const { id } = await asked(home);
  for (const words of [
    ["approve", id],
    ["deny", id],
    ["daemon", "stop"],
  ]) {
    expect(hookline(home, ...words)).toMatchObject({ code: 1, stderr: expect.stringContaining("is for a person") });
  }
  const noTerminal = { kind: "refused", session: expect.stringContaining("which has no terminal") };
  expect(await home.decide(id, true)).toEqual(noTerminal);
  expect(await home.questions()).toHaveLength(1);
});

test.runIf(hasCompiler)("a program that an agent starts cannot decide on the daemon's socket, either", async () => {
  const home = new DaemonHome(ASKS);
  const { id, answer } = await asked(home);
  for (const request of [{ ask: "decide", id, approved: true, reason: "" }, { ask: "stop" }]) {
    expect(askBelowAgent(home, request)).toEqual({ kind: "refused", session: expect.stringContaining("claude") });
  }
  expect(await home.questions()).toHaveLength(1);
  expect(await home.decide(id, false)).toMatchObject({ kind: "decided" });
  expect((await answer()).decision).toBe("deny");
});

test.runIf(hasCompiler)("a run with --approvals waits for a person at another terminal", async () => {
  const project = new AgentProject();
  const { home } = project.machine;
  mkdirSync(join(home, ".hookline"), { recursive: true });
  writeFileSync(join(home, ".hookline/settings.json"), '{"approvals":{"withoutTerminal":true}}'); // tests have none
  onTestFinished(async () => {
    await endDaemon(home);
  });
  const answers = [
    calls("run_shell_command", { command: "touch made" }),
    calls("run_shell_command", { command: "touch not" }),
  ];
  const { child, look } = project.start({
    answers: [...answers, says("done")],
    mode: "default",
    args: ["--approvals"],
  });
  const ended = endOf(child);
  const decide = async (approved: boolean) => {
    const open = async () => (await askDaemon(home, { ask: "questions" }, questionsSchema)) ?? [];
    const [question] = await vi.waitFor(async () => {
      const questions = await open();
      expect(questions).toMatchObject([
        { host: "hookline run", subject: "run_shell_command", folder: project.machine.project },
      ]);
      return questions;
    }, PATIENCE);
    await askDaemon(home, { ask: "decide", id: question?.id ?? "", approved, reason: "no thanks" }, decidedSchema);
    await vi.waitFor(async () => expect(await open()).toEqual([]), PATIENCE);
  };
  await decide(true);
  await decide(false);
  const run = look(await ended);
  expect([run.code, run.has("made"), run.has("not")]).toEqual([0, true, false]);
  expect(run.modelSaw(3).join("\n")).toContain("no thanks");
});
