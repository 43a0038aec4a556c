import { readFileSync } from "node:fs";
import type { ApprovalRequest } from "@hookline/engine";
import { expect, onTestFinished, test } from "vitest";
import { openAgent } from "../../src/agent/openAgent.ts";
import { Session } from "../../src/agent/session.ts";
import type { Io } from "../../src/terminal/io.ts";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { calls, says } from "../support/modelAnswers.ts";

const WRITE = calls("write_file", { file_path: "a.txt", content: "new\n" });

/** A session in this process, with somebody there who always gives the same answer. */
async function sessionWith(project: AgentProject, answer: { readonly approved: boolean; readonly reason?: string }) {
  const { machine } = project;
  const lines = [WRITE, says("Done.")].map((line) => JSON.stringify(line));
  machine.write({ "answers.jsonl": lines.join("\n") });
  const asked: { request: ApprovalRequest; told: number }[] = [];
  const { signal } = new AbortController();
  const nobody = async () => Promise.reject(new Error("Only the approver is asked"));
  const io: Io = {
    stdout: () => {},
    stderr: () => {},
    readStdin: nobody,
    confirm: nobody,
    env: machine.env(),
    cwd: machine.project,
    homeDir: machine.home,
    systemFile: machine.systemFile,
    interactive: true,
    stdoutIsTTY: false,
    stderrIsTTY: false,
    colour: false,
    signal,
    hasTerminal: () => true,
    ancestors: () => [],
  };
  const agent = await openAgent(io, {
    model: "replay:../answers.jsonl",
    cwd: machine.project,
    compressAtTokens: 1e6,
    approvalMode: () => "default",
    approver: {
      approve: async (request) => {
        asked.push({ request, told: project.seen("bell").length });
        return answer;
      },
    },
    trust: "all",
    unreadSettings: "ignore",
    observe: () => {},
    streams: false,
    watches: false,
  });
  onTestFinished(() => agent.close());
  const session = await Session.start(agent.setup, signal);
  onTestFinished(() => session.end("exit"));
  const turn = await session.prompt("go", signal);
  const transcript = () => readFileSync(agent.setup.config.getTranscriptPath(), "utf8");
  return { turn, calls: session.totals.toolCalls, asked, transcript };
}

const BELL: Hook = {
  on: "Notification",
  name: "bell",
  answers: { decision: "block", reason: "No", continue: false, stopReason: "Stop" },
  settings: { blocking: true },
};

test("Notification fires before a person is asked, with what it is about; an objection to it has no effect", async () => {
  const project = new AgentProject({ files: { "a.txt": "old\n" }, hooks: [BELL] });
  const { turn, asked, calls: made } = await sessionWith(project, { approved: true });
  expect(turn).toEqual({ response: "Done.", end: { kind: "finished" } });
  expect(project.file("a.txt")).toBe("new\n");
  expect(made).toMatchObject([{ name: "write_file", status: "success" }]);
  expect(asked.map(({ told }) => told)).toEqual([1]);
  expect(project.seen("bell")).toMatchObject([
    {
      notification_type: "ToolPermission",
      message: "Overwrite a.txt?",
      details: {
        type: "edit",
        title: "Overwrite a.txt?",
        filePath: `${project.machine.project}/a.txt`,
        fileName: "a.txt",
        fileDiff: expect.stringContaining("-old\n+new\n"),
        originalContent: "old\n",
        newContent: "new\n",
      },
    },
  ]);
});

test("what a Notification hook says goes to the model with the result", async () => {
  const hooks: Hook[] = [
    { on: "Notification", name: "bell", answers: { systemMessage: "Be quick." }, settings: { blocking: true } },
  ];
  const project = new AgentProject({ files: { "a.txt": "old\n" }, hooks });
  const { transcript } = await sessionWith(project, { approved: true });
  expect(transcript()).toContain("[System] Be quick.");
});

test("the person's no, and why, is what the model gets", async () => {
  const project = new AgentProject({ files: { "a.txt": "old\n" }, hooks: [BELL] });
  const { turn, calls: made } = await sessionWith(project, { approved: false, reason: "Not on Fridays" });
  expect(turn.end).toEqual({ kind: "finished" });
  expect([project.file("a.txt"), made]).toMatchObject(["old\n", [{ status: "denied" }]]);
});
