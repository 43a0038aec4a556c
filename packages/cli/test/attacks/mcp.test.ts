import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { AgentProject, type AgentRun } from "../support/agentProject.ts";
import { endOf, hooksOn, USER_FILE } from "../support/machine.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";

/** A server whose list is what its arguments say: the names of tools on each page. */
const SERVER = `
import { createInterface } from "node:readline";
const pages = process.argv.slice(2).map((page) => page.split(",").filter(Boolean));
const tool = (name) => ({ name, inputSchema: { type: "object" } });
const listed = (at) => ({ tools: pages[at].map(tool), ...(at + 1 < pages.length && { nextCursor: String(at + 1) }) });
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": ({ cursor = "0" }) => listed(Number(cursor)),
  "tools/call": () => ({ content: [{ type: "text", text: "done" }] }),
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

describe("the schema of a server's tool does not keep the program busy for ever", () => {
  /** A server with one tool, whose schema is in a file. */
  const ONE_TOOL = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const inputSchema = JSON.parse(readFileSync(process.argv[2], "utf8"));
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "tool", inputSchema }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "called" }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }));
}
`;
  const STEPS = 40;
  /** Each step asks the next one twice. */
  function doubling(twice: (next: object) => object, path = "$defs") {
    const steps = Array.from({ length: STEPS }, (_, n) => [`s${n}`, twice({ $ref: `#/${path}/s${n + 1}` })]);
    const definitions = Object.fromEntries([...steps, [`s${STEPS}`, { type: "string" }]]);
    return { type: "object", properties: { x: { $ref: `#/${path}/s0` } }, [path]: definitions };
  }
  const NESTED = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], 5);
  const list = { type: "array", items: { $ref: "#/$defs/list" } };

  test.each<[string, object, unknown]>([
    ["by references that double", doubling((next) => ({ anyOf: [next, next] })), 5],
    ["by references that all must fit", doubling((next) => ({ allOf: [next, next] }), "definitions"), 5],
    ["by references to definitions with another name", doubling((next) => ({ anyOf: [next, next] }), "parts"), 5],
    [
      "by a reference to itself, with nested arguments",
      { type: "object", properties: { x: { $ref: "#/$defs/list" } }, $defs: { list: { anyOf: [list, list] } } },
      NESTED,
    ],
    [
      "by items that must all differ",
      { type: "object", properties: { x: { type: "array", uniqueItems: true } } },
      Array.from({ length: 60_000 }, (_, n) => ({ n })),
    ],
  ])("%s", async (_how, schema, x) => {
    const project = new AgentProject();
    const at = (name: string) => `${project.machine.dir}/${name}`;
    const kit = { command: process.execPath, args: [at("server.mjs"), at("schema.json")] };
    project.machine.write({ "server.mjs": ONE_TOOL, "schema.json": schema, [USER_FILE]: { mcpServers: { kit } } });
    const { child, look } = project.start({ answers: [calls("mcp_kit_tool", { x }), says("Done.")] });
    const timer = setTimeout(() => child.kill("SIGKILL"), 25_000);
    onTestFinished(() => clearTimeout(timer));
    child.stdin?.end();
    const run = look(await endOf(child));
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ toolCalls: [{ name: "mcp_kit_tool", status: "success" }] });
  });
});

test("a server's tool does not rewrite a guard's files, however the call names them", async () => {
  const project = new AgentProject({
    files: {
      ".hookline/settings.json": hooksOn("SessionEnd", [{ name: "guard", command: "hooks/guard.sh" }]),
      "hooks/guard.sh": "#!/bin/sh\n",
    },
  });
  const { machine } = project;
  const server = { command: process.execPath, args: [`${machine.dir}/server.mjs`, "edit_files"] };
  machine.write({ "server.mjs": SERVER, [USER_FILE]: { mcpServers: { kit: server } } });
  const inputs = [
    { files: [{ path: "hooks/guard.sh", text: "" }] },
    { edit: { at: { file: ".hookline/settings.json" } } },
    { files: { "hooks/guard.sh": "exit 0" } },
    { uri: pathToFileURL(`${machine.project}/hooks/guard.sh`).href },
    { paths: [...Array.from({ length: 2_000 }, (_, index) => `a${index}`)] },
  ];
  const fine = { files: [{ path: "notes.txt", text: "" }] };
  const all = [...inputs, fine].map((args) => ({ name: "mcp_kit_edit_files", args }));
  const run = await project.run({ mode: "yolo", answers: [callsAll(all), says("done")] });
  const statuses = run.json.toolCalls.map(({ status }) => status);
  expect(statuses).toEqual([...inputs.map(() => "denied"), "success"]);
});
