import { expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { MCP_SERVER, stdioServer } from "../tools/mcpFixtures.ts";

function projectWith(hooks: readonly Hook[]): AgentProject {
  const project = new AgentProject({ hooks });
  project.machine.write({ [USER_FILE]: { mcpServers: { fixture: stdioServer() } } });
  return project;
}

const echo = (text: string) => [calls("mcp_fixture_echo", { text }), says("Done.")];

test("a tool of an MCP server runs, and its hooks know where it comes from", async () => {
  const project = projectWith([
    { on: "BeforeTool", name: "look", matcher: "^mcp_fixture_" },
    { on: "AfterTool", name: "see", matcher: "^mcp_fixture_" },
  ]);
  const run = await project.run({ answers: echo("hello") });
  expect(run.json.toolCalls).toEqual([{ name: "mcp_fixture_echo", args: { text: "hello" }, status: "success" }]);
  expect(run.modelSaw(2).at(-1)).toContain("hello");
  const context = {
    server_name: "fixture",
    tool_name: "echo",
    command: process.execPath,
    args: [MCP_SERVER],
  };
  expect(project.seen("look")).toMatchObject([{ tool_name: "mcp_fixture_echo", mcp_context: context }]);
  expect(project.seen("see")).toMatchObject([{ mcp_context: context, tool_input: { text: "hello" } }]);
});

test("a hook blocks it: the server is not asked, and the model is told why", async () => {
  const project = projectWith([
    { on: "BeforeTool", name: "guard", matcher: "mcp_.*", answers: { decision: "deny", reason: "Not that server." } },
  ]);
  const run = await project.run({ answers: echo("hello") });
  expect(run.json.toolCalls).toMatchObject([{ status: "blocked", blockedBy: "guard" }]);
  expect(run.modelSaw(2).at(-1)).toContain("Tool call blocked by hook: Not that server.");
});

test("a hook rewrites its arguments, and the server gets the new ones", async () => {
  const project = projectWith([
    {
      on: "BeforeTool",
      name: "mask",
      matcher: "mcp_fixture_echo",
      answers: { hookSpecificOutput: { tool_input: { text: "masked" } } },
    },
  ]);
  const run = await project.run({ answers: echo("secret") });
  expect(run.modelSaw(2).at(-1)).toContain("masked");
  expect(run.modelSaw(2).at(-1)).not.toContain("secret");
});

test("a rewrite that its schema does not allow blocks the call and names the hook", async () => {
  const project = projectWith([
    {
      on: "BeforeTool",
      name: "clumsy",
      matcher: "mcp_fixture_echo",
      answers: { hookSpecificOutput: { tool_input: { text: 7 } } },
    },
  ]);
  const run = await project.run({ answers: echo("hello") });
  expect(run.json.toolCalls).toMatchObject([{ status: "blocked", blockedBy: "clumsy" }]);
  expect(run.modelSaw(2).at(-1)).toContain('changed by "clumsy"');
});

test("without yolo it needs an approval, which nobody can give here", async () => {
  const run = await projectWith([]).run({ answers: echo("hello"), mode: "auto-edit" });
  expect(run.json.toolCalls).toMatchObject([{ status: "denied" }]);
});

test("a server that does not start is said, and the turn goes on without it", async () => {
  const project = new AgentProject();
  project.machine.write({ [USER_FILE]: { mcpServers: { fixture: stdioServer("--exits") } } });
  const run = await project.run({ answers: echo("hello") });
  expect(run.code).toBe(0);
  expect(run.stderr).toContain("no licence was found");
  expect(run.json.toolCalls).toMatchObject([{ name: "mcp_fixture_echo", status: "error" }]);
});
