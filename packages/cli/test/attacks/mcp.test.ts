import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
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

test.each([
  ["the same page", "cursor"],
  ["a new page", "String(Number(cursor) + 1)"],
])(
  "a server that lists %s for ever does not keep a session from starting, and writes no warning of Node's",
  async (_what, next) => {
    const project = new AgentProject();
    const { machine } = project;
    const endless = SERVER.replace("listed(Number(cursor))", `({ tools: [], nextCursor: ${next} })`);
    const kit = { command: process.execPath, args: [`${machine.dir}/server.mjs`] };
    machine.write({ "server.mjs": endless, [USER_FILE]: { mcpServers: { kit } } });
    const run = await project.run({ answers: [says("hello")] });
    expect([run.code, run.json.response]).toEqual([0, "hello"]);
    expect(run.stderr).not.toContain("Warning");
  },
);

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

test("the schema of a server's tool does not end the program", async () => {
  const project = new AgentProject();
  const at = (name: string) => `${project.machine.dir}/${name}`;
  const kit = { command: process.execPath, args: [at("server.mjs"), at("schema.json")] };
  const schema = { $async: true, type: "object", properties: { x: { type: "string" } }, required: ["x"] };
  project.machine.write({ "server.mjs": ONE_TOOL, "schema.json": schema, [USER_FILE]: { mcpServers: { kit } } });
  const run = await project.run({
    answers: [calls("mcp_kit_tool", {}), calls("mcp_kit_tool", { x: "a" }), says("Done.")],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.json.toolCalls).toMatchObject([{ status: "error" }, { status: "success" }]);
  expect(run.modelSaw(2).at(-1)).toContain("must have required property 'x'");
});

describe("the schema of a server's tool does not keep the program busy for ever", () => {
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

describe("a server over HTTP that sends too much", { timeout: 120_000 }, () => {
  const MEBIBYTE = 1024 ** 2;
  const message = z.looseObject({ id: z.number().optional(), method: z.string() });
  type Message = z.infer<typeof message>;
  type Flood = (response: ServerResponse, asked: Message) => void;

  /** Answers as it should, but for these methods; GET is the stream that a client keeps open. */
  async function serverThatFloods(floods: Readonly<Record<string, Flood>>): Promise<string> {
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "tool", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "called" }] },
    };
    const server = createServer(async (request, response) => {
      response.on("error", () => {});
      const asked = request.method === "POST" ? message.parse(await json(request)) : { method: request.method ?? "" };
      const flood = floods[asked.method];
      if (flood) return flood(response, asked);
      if (asked.id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
      const answer = { jsonrpc: "2.0", id: asked.id, result: results[asked.method] ?? {} };
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/mcp`;
  }

  async function runWith(url: string): Promise<AgentRun> {
    const project = new AgentProject();
    project.machine.write({ [USER_FILE]: { mcpServers: { kit: { url, timeout: 15_000 } } } });
    return project.run({ answers: [calls("mcp_kit_tool", {}), says("Done.")] });
  }

  const EVENTS = { "content-type": "text/event-stream" };
  const JSON_TYPE = { "content-type": "application/json" };
  /** One line of 24 MB, and no end after it. */
  const longLine: Flood = (response) => {
    response.writeHead(200, EVENTS).write(`data: ${"a".repeat(24 * MEBIBYTE)}`);
  };
  const longEvent: Flood = (response) => {
    response.writeHead(200, EVENTS).write(`data: ${"a".repeat(1000)}\r\n`.repeat(24_000));
  };
  const large = ({ id }: Message) => {
    const content = [{ type: "text", text: "a".repeat(70 * MEBIBYTE) }];
    return JSON.stringify({ jsonrpc: "2.0", id, result: { content } });
  };
  const CASES: readonly [string, Flood][] = [
    ["a line without an end", longLine],
    ["an event of many lines", longEvent],
    ["a comment without an end", (response) => response.writeHead(200, EVENTS).write(":a".repeat(12 * MEBIBYTE))],
    ["a body", (response, asked) => response.writeHead(200, JSON_TYPE).end(large(asked))],
    [
      "a body that is small until it is unpacked",
      (response, asked) =>
        response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(gzipSync(large(asked), { level: 1 })),
    ],
    ["a refusal", (response) => response.writeHead(500).end(Buffer.alloc(70 * MEBIBYTE, "a"))],
  ];

  test.each(CASES)("is not read further: %s", async (_what, flood) => {
    const run = await runWith(await serverThatFloods({ "tools/call": flood }));
    expect(run.json.toolCalls).toMatchObject([{ name: "mcp_kit_tool", status: "error" }]);
    expect(run.modelSaw(2).at(-1)).toMatch(
      /did not answer the call: it sent an (event|answer) of more than (16|64) MB/,
    );
  });

  test.each(["initialize", "tools/list"])("is left out when it does so at %s", async (method) => {
    const run = await runWith(await serverThatFloods({ [method]: longLine }));
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('MCP server "kit" is left out: it sent an event of more than 16 MB');
  });

  test("is not read further on the stream that stays open", async () => {
    let open: (response: ServerResponse) => void = () => {};
    const opened = new Promise<ServerResponse>((resolve) => {
      open = resolve;
    });
    const url = await serverThatFloods({
      GET: (response) => open(response),
      "tools/call": async (_response, asked) => longLine(await opened, asked),
    });
    expect((await runWith(url)).modelSaw(2).at(-1)).toContain("it sent an event of more than 16 MB");
  });
});
