import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentProject, type AgentRun } from "../support/agentProject.ts";
import { USER_FILE } from "../support/machine.ts";
import { says } from "../support/modelAnswers.ts";

/** A server whose list is what its arguments say: the names of tools on each page. */
const SERVER = `
import { createInterface } from "node:readline";
const pages = process.argv.slice(2).map((page) => page.split(",").filter(Boolean));
const tool = (name) => ({ name, inputSchema: { type: "object" } });
const listed = (at) => ({ tools: pages[at].map(tool), ...(at + 1 < pages.length && { nextCursor: String(at + 1) }) });
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": ({ cursor = "0" }) => listed(Number(cursor)),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }));
}
`;

function withServers(servers: Readonly<Record<string, readonly string[]>>): Promise<AgentRun> {
  const project = new AgentProject();
  const declared = Object.entries(servers).map(([name, pages]) => {
    const server = { command: process.execPath, args: [`${project.machine.dir}/server.mjs`, ...pages] };
    return [name, server];
  });
  project.machine.write({ "server.mjs": SERVER, [USER_FILE]: { mcpServers: Object.fromEntries(declared) } });
  return project.run({ answers: [says("hello")] });
}

const config = z.looseObject({
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) })),
});
const offered = (run: AgentRun) =>
  config
    .parse(run.config(1))
    .tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name))
    .filter((name) => name.startsWith("mcp_"));

describe("a server cannot keep a session from starting", () => {
  test.each<[string, Readonly<Record<string, readonly string[]>>]>([
    ["with two tools whose names become one", { kit: ["a.b,a_b,fine"] }],
    ["with the same tool twice", { kit: ["a,a,fine"] }],
    ["with the same tool on two pages", { kit: ["a,fine", "a"] }],
    ["with a name that becomes that of another server's tool", { kit: ["fine"], a_b: ["c"], a: ["b_c"] }],
    ["with names of other letters", { kit: ["ä,ö,fine"] }],
  ])("%s", async (_how, servers) => {
    const run = await withServers(servers);
    expect(run.code, run.stderr).toBe(0);
    expect(offered(run)).toEqual(["mcp_kit_fine"]);
    expect(run.stderr).toContain("MCP tools are left out:");
  });
});

test.each([
  ["empty", ""],
  ["of one tool each", "a1"],
])("a server that lists page after page (%s) writes nothing to the terminal", async (_what, page) => {
  const pages = Array.from({ length: 30 }, (_, index) => page.replace("1", String(index)));
  const run = await withServers({ kit: pages });
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
});
