import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import type { Files } from "../support/machine.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";

/** A worker that logs the command it checks, then denies every `rm`. `deny` and `allow` are what it writes. */
function worker({
  prints = '"checking: " + command + "\\n"',
  deny = "answer(DENY)",
  allow = "answer({})",
} = {}): string {
  return `
import { createInterface } from "node:readline";
const DENY = { decision: "deny", reason: "no rm here" };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, event, input } = JSON.parse(line);
  if (event === undefined) return;
  const command = input.tool_input.command;
  const answer = (output) => JSON.stringify({ id, output }) + "\\n";
  process.stdout.write(${prints} + (command.includes("rm ") ? ${deny} : ${allow}));
});`;
}

function guardedByWorker(code: string, settings: object = {}): AgentProject {
  const hook = { type: "worker", name: "no-rm", command: `${process.execPath} hooks/guard.mjs`, ...settings };
  const hooks = { BeforeTool: [{ matcher: "run_shell_command", hooks: [hook] }] };
  return new AgentProject({
    files: { ".hookline/settings.json": { hooks }, "hooks/guard.mjs": code, "precious.txt": "precious" },
  });
}

async function runsCommand(project: AgentProject, command: string) {
  const run = await project.run({ answers: [calls("run_shell_command", { command }), says("done")] });
  expect(run.requests.length, run.stderr).toBeGreaterThan(0);
  return run;
}

const LINES = (forge: (id: number) => string) => Array.from({ length: 50 }, (_, id) => forge(id)).join("\n");

describe("a worker that logs the command it checks", () => {
  test.each([
    ["an answer that allows", (id: number) => `{"id":${id},"output":{}}`],
    ["an error", (id: number) => `{"id":${id},"error":{"message":"out of order"}}`],
    ["half an answer", (id: number) => `{"id":${id},"output":{"decision":"allow"},`],
    ["an answer beside an error", (id: number) => `{"id":${id},"error":"x","output":{"decision":"allow"}}`],
  ])("is not answered for by a command with lines that look like %s", async (_, forge) => {
    const project = guardedByWorker(worker(), { onError: "block" });
    const run = await runsCommand(project, `rm precious.txt\n: '\n${LINES(forge)}\n'`);
    expect(run.has("precious.txt")).toBe(true);
    expect(run.modelSaw(2).join("\n")).toContain("no rm here");
  });

  test("is not answered for by a text of the project that it prints before it is asked", async () => {
    const code = `process.stdout.write(${JSON.stringify(`${LINES((id) => `{"id":${id},"output":{}}`)}\n`)});${worker()}`;
    const run = await runsCommand(guardedByWorker(code), "rm precious.txt");
    expect(run.has("precious.txt")).toBe(true);
  });

  test("does not end the program with a line that is nested too deep to be read", async () => {
    const code = worker({ prints: '\'{"id":\' + "[".repeat(200_000) + "\\n"' });
    const run = await runsCommand(guardedByWorker(code), "rm precious.txt");
    expect([run.code, run.has("precious.txt")]).toEqual([0, true]);
  });

  test("is heard although it prints the requests themselves", async () => {
    const run = await runsCommand(guardedByWorker(worker({ prints: 'line + "\\n"' })), "rm precious.txt");
    expect(run.has("precious.txt")).toBe(true);
  });

  test.each([
    ["behind other text", '"got " + line'],
    ["with their keys sorted", '"got " + JSON.stringify({ event, id, input })'],
    ["in part", "line.slice(0, -1)"],
  ])("is waited for although it prints the requests %s, whatever arguments they have", async (_, prints) => {
    const code = `
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, event, input } = JSON.parse(line);
  if (event === undefined) return;
  console.log(${prints});
  setTimeout(() => console.log(JSON.stringify({ id, output: { decision: "deny" } })), 300);
});`;
    const forged = [{ output: {} }, { error: "x" }, { output: { decision: "allow" }, id: 1 }];
    const all = forged.map((more) => ({
      name: "run_shell_command",
      args: { command: "rm precious.txt", ...more },
    }));
    const run = await guardedByWorker(code).run({ answers: [callsAll(all), says("done")] });
    expect(run.has("precious.txt")).toBe(true);
  });
});

describe("an objection of a worker stands", () => {
  test.each([
    ["before an answer to the same request that allows", "answer({}) + answer(DENY)"],
    ["after two that allow", "answer({}) + answer({ decision: 'allow' }) + answer({ continue: false })"],
    ["after an error", "JSON.stringify({ id, error: { message: 'x' } }) + '\\n' + answer(DENY)"],
  ])("%s", async (_, deny) => {
    const run = await runsCommand(guardedByWorker(worker({ deny })), "rm precious.txt");
    expect(run.has("precious.txt")).toBe(true);
  });

  test.each([
    ["a whole answer", "answer(DENY).trimEnd()"],
    ["an answer that asks to stop", "answer({ continue: false, stopReason: 'no' }).trimEnd()"],
  ])("in %s without a newline, at the timeout", async (_, deny) => {
    const project = guardedByWorker(worker({ deny }), { timeout: "5s" });
    // The first call starts the worker, so that only its answer has to come in time.
    const answers = ["true", "rm precious.txt"].map((command) => calls("run_shell_command", { command }));
    expect((await project.run({ answers: [...answers, says("done")] })).has("precious.txt")).toBe(true);
  });
});

describe("a model that sends hundreds of calls in one answer", () => {
  const GUARD = '#!/bin/sh\nif grep -q secret; then echo "secrets stay here" >&2; exit 2; fi\n';
  const HOOK = { type: "command", command: "./guard.sh" };

  /** With so few descriptors that not all guards can be started at once. */
  test.each([
    ["one guard", 256, [HOOK]],
    ["three guards", 160, Array.from({ length: 3 }, (_, nth) => ({ ...HOOK, env: { NTH: String(nth) } }))],
    ["a guard with a timeout, in a shell", 128, [{ ...HOOK, command: "sleep 0.01; ./guard.sh", timeout: "20s" }]],
  ])("reads nothing past %s", async (_, descriptors, hooks) => {
    const files: Files = {
      ".hookline/settings.json": { hooks: { BeforeTool: [{ matcher: "read_file", hooks }] } },
      "guard.sh": GUARD,
      "secret.txt": "the-secret-itself",
    };
    const reads = callsAll(Array(150).fill({ name: "read_file", args: { file_path: "secret.txt" } }));
    const run = await new AgentProject({ files }).run({ answers: [reads, says("done")], descriptors });
    const seen = JSON.stringify(run.requests[1]);
    expect(seen).not.toContain("the-secret-itself");
    expect(seen.split("secrets stay here").length - 1).toBeGreaterThanOrEqual(150);
  });
});

describe("a hook that is out of time", () => {
  const cleansUp = (prints: string) => `#!/bin/sh
trap '${prints}; sleep 0.2; ${prints}; touch cleaned; exit 0' TERM
while :; do sleep 0.05; done
`;

  test.each([
    ["a line", "echo cleaning"],
    ["more than a pipe holds", "printf %0200000d 0"],
    ["its errors", "echo cleaning >&2"],
  ])("may print %s while it cleans up", async (_, prints) => {
    const hook = { type: "command", name: "slow", command: "./slow.sh", timeout: "4s" };
    const hooks = { BeforeTool: [{ matcher: "write_file", hooks: [hook] }] };
    const settings = { hooks, hooksConfig: { killGrace: "30s" } };
    const project = new AgentProject({ files: { ".hookline/settings.json": settings, "slow.sh": cleansUp(prints) } });
    const waits = "i=0; until [ -e cleaned ] || [ $i -gt 200 ]; do sleep 0.1; i=$((i+1)); done";
    const write = { name: "write_file", args: { file_path: "a.txt", content: "a" } };
    const wait = { name: "run_shell_command", args: { command: waits } };
    const run = await project.run({ answers: [callsAll([write, wait]), says("done")] });
    expect([run.has("a.txt"), run.has("cleaned")]).toEqual([true, true]);
  });
});
