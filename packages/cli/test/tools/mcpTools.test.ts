import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mcpToolName } from "@hookline/engine/program";
import { expect, test } from "vitest";
import { clientInfo } from "../../src/tools/mcp/serverConnection.ts";
import { eventually, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { connectMachine, MCP_SERVER, startHttpServer, stdioServer } from "./mcpFixtures.ts";

const PATIENCE = 120_000;
const TOOLS = ["echo", "add", "fails", "slow", "crash", "big", "env", "child", "picture", "pick"];

function userServers(mcpServers: Record<string, unknown>, more: Record<string, unknown> = {}): Machine {
  return new Machine({ [USER_FILE]: { mcpServers, ...more } });
}

test("without servers nothing is started", { timeout: PATIENCE }, async () => {
  const { tools, notices } = await connectMachine(new Machine());
  expect([tools, notices]).toEqual([[], []]);
});

test("the tools of a stdio server are named after it, described, and called", { timeout: PATIENCE }, async () => {
  const machine = userServers({ kit: stdioServer() });
  const { tools, notices, named, call, context } = await connectMachine(machine);
  expect(notices).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map((tool) => `mcp_kit_${tool}`));
  expect(named("mcp_kit_echo")).toMatchObject({
    kind: "mcp",
    description: "Says what it is told.",
    parameters: { type: "object", required: ["text"] },
    mcpContext: {
      server_name: "kit",
      tool_name: "echo",
      command: process.execPath,
      args: [MCP_SERVER],
      cwd: machine.project,
    },
  });
  expect(await named("mcp_kit_echo").describe({ text: "hi" }, context)).toEqual({
    type: "mcp",
    title: "Call echo of the MCP server kit",
    server_name: "kit",
    tool_name: "echo",
    arguments: { text: "hi" },
  });
  expect(await call("mcp_kit_echo", { text: "hi" })).toEqual({ llmContent: "hi", returnDisplay: "hi" });
  expect(await call("mcp_kit_add", { a: 1, b: 2 })).toMatchObject({ llmContent: '{"sum":3}' });
  expect(await call("mcp_kit_fails")).toEqual({
    llmContent: "It did not work out.",
    returnDisplay: "It did not work out.",
    error: { message: "It did not work out.", type: "execution_failed" },
  });
});

test("arguments are checked before the call, in words; expressions of a server are left to it", {
  timeout: PATIENCE,
}, async () => {
  const { named, call, context } = await connectMachine(userServers({ kit: stdioServer() }));
  const faultIn = (name: string, input: Record<string, unknown>) => named(name).validate(input, context);
  expect(await faultIn("mcp_kit_add", { a: 1, b: 2 })).toBeUndefined();
  expect(await faultIn("mcp_kit_add", { a: "1" })).toBe("must have required property 'b', a must be number");
  // Tried here, this expression would not end within a lifetime.
  const word = `${"a".repeat(60)}!`;
  expect(JSON.stringify(named("mcp_kit_pick").parameters)).toContain("pattern");
  expect(await faultIn("mcp_kit_pick", { word })).toBeUndefined();
  expect(await call("mcp_kit_pick", { word: "abc" })).toMatchObject({ llmContent: "abc" });
});

test("pictures, links and resources reach the model, and too much text is cut", { timeout: PATIENCE }, async () => {
  const { call } = await connectMachine(userServers({ kit: stdioServer() }));
  expect(await call("mcp_kit_picture")).toEqual({
    llmContent: [
      { text: "Look:\n[image/png, part 1]\n[more: file:///more.txt]\n[file:///notes.txt]\nsome notes" },
      { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
    ],
    returnDisplay: expect.stringContaining("Look:"),
  });
  const { llmContent } = await call("mcp_kit_big", { length: 1_000_000 });
  expect(String(llmContent).length).toBeLessThan(40_000);
  expect(llmContent).toContain("characters of the output are omitted");
});

test("a server gets no credential unless passEnv names it, and its folder is the project", {
  timeout: PATIENCE,
}, async () => {
  const machine = userServers({
    bare: stdioServer(),
    given: { ...stdioServer(), passEnv: ["API_TOKEN"], env: { SECOND: `<\${API_TOKEN}>` }, cwd: "." },
  });
  const { call } = await connectMachine(machine, { env: { ...process.env, API_TOKEN: "t0p", PLAIN: "yes" } });
  const seen = async (server: string, name: string) => {
    const { llmContent } = await call(`mcp_${server}_env`, { name });
    const { value, cwd } = JSON.parse(String(llmContent));
    return [value, cwd];
  };
  expect(await seen("bare", "API_TOKEN")).toEqual([null, machine.project]);
  expect(await seen("bare", "PLAIN")).toEqual(["yes", machine.project]);
  expect(await seen("bare", "HOOKLINE_PROJECT_DIR")).toEqual([machine.project, machine.project]);
  expect(await seen("given", "API_TOKEN")).toEqual(["t0p", `${machine.home}/.hookline`]);
  expect(await seen("given", "SECOND")).toEqual(["<t0p>", `${machine.home}/.hookline`]);
});

test("servers that fail are said with their last words, and the others go on", { timeout: PATIENCE }, async () => {
  const machine = userServers({
    exits: stdioServer("--exits"),
    hangs: { ...stdioServer("--hangs"), timeout: "500ms" },
    away: { url: "http://127.0.0.1:9/mcp" },
    unset: { ...stdioServer(), env: { A: `\${NOT_SET_AT_ALL}` }, passEnv: ["NOT_SET_AT_ALL"] },
    good: stdioServer("--prints"),
  });
  const { tools, notices, call } = await connectMachine(machine);
  expect(tools).toHaveLength(TOOLS.length);
  expect(await call("mcp_good_echo", { text: "here" })).toMatchObject({ llmContent: "here" });
  const notice = (name: string) => notices.find((text) => text.includes(`"${name}"`))?.split("\n");
  expect(notice("exits")).toEqual([
    'MCP server "exits" is left out: it exited with code 1',
    "  It wrote:",
    "  first line",
    "  no licence was found",
    expect.stringContaining("Start the server by hand"),
  ]);
  expect(notice("hangs")?.[0]).toBe('MCP server "hangs" is left out: it did not answer within 500 ms');
  expect(notice("away")?.[0]).toMatch(/^MCP server "away" is left out: .*(ECONNREFUSED|bad port)/);
  expect(notice("unset")?.[0]).toBe(`MCP server "unset" is left out: it uses \${NOT_SET_AT_ALL}, which is not set`);
  expect(notices).toHaveLength(4);
});

test("a server that dies fails the call, and the next one starts it again", { timeout: PATIENCE }, async () => {
  const { notices, call } = await connectMachine(userServers({ kit: stdioServer() }));
  const [dying, beside] = await Promise.allSettled([call("mcp_kit_crash"), call("mcp_kit_slow", { ms: 600_000 })]);
  const reason = expect.stringMatching(
    /^The MCP server "kit" did not answer the call: it exited with code 3\nIt wrote:\n.*had enough/s,
  );
  expect(dying).toMatchObject({ status: "rejected", reason: { message: reason } });
  expect(beside).toMatchObject({ status: "rejected", reason: { message: reason } });
  const again = await Promise.all([call("mcp_kit_echo", { text: "a" }), call("mcp_kit_echo", { text: "b" })]);
  expect(again.map(({ llmContent }) => llmContent)).toEqual(["a", "b"]);
  expect(notices).toEqual(['MCP server "kit" had ended and was restarted.']);
});

test("a server that was changed after it was trusted is not started again", { timeout: PATIENCE }, async () => {
  const machine = new Machine({
    "project/server.mjs": `import ${JSON.stringify(MCP_SERVER)};\n`,
    [PROJECT_FILE]: { mcpServers: { kit: { command: "node", args: ["server.mjs"] } } },
  });
  const { call } = await connectMachine(machine);
  await expect(call("mcp_kit_crash")).rejects.toThrow("it exited with code 3");
  machine.write({ "project/server.mjs": `import "node:fs";\nimport ${JSON.stringify(MCP_SERVER)};\n` });
  await expect(call("mcp_kit_echo", { text: "hi" })).rejects.toThrow(
    /^The MCP server "kit" is not running: it was changed after it was trusted/,
  );
});

test("a call ends with its signal and with its time, and the server is told", { timeout: PATIENCE }, async () => {
  const { call } = await connectMachine(
    userServers({ kit: stdioServer(), hasty: { ...stdioServer(), timeout: "10s" } }),
  );
  const controller = new AbortController();
  const slow = call("mcp_kit_slow", { ms: 600_000 }, controller.signal);
  controller.abort(new Error("enough"));
  await expect(slow).rejects.toThrow("enough");
  expect(await call("mcp_kit_echo", { text: "still here" })).toMatchObject({ llmContent: "still here" });
  await expect(call("mcp_kit_crash")).rejects.toThrow("slow was cancelled");
  await expect(call("mcp_hasty_slow", { ms: 600_000 })).rejects.toThrow("it did not answer within 10 s");
});

test("on close a server ends with its children, also one that will not go", { timeout: PATIENCE }, async () => {
  const { call, close } = await connectMachine(userServers({ kit: stdioServer(), stubborn: stdioServer("--stays") }));
  const pids = await Promise.all(
    ["kit", "stubborn"].flatMap((name) => [
      call(`mcp_${name}_env`, { name: "HOME" }).then(({ llmContent }) => Number(JSON.parse(String(llmContent)).pid)),
      call(`mcp_${name}_child`).then(({ llmContent }) => Number(llmContent)),
    ]),
  );
  expect(pids.map(isAlive)).toEqual([true, true, true, true]);
  // Ctrl-C at the terminal goes to this program's group, which is not theirs.
  const groups = pids.map((pid) =>
    Number(execFileSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" })),
  );
  expect(groups).toEqual([pids[0], pids[0], pids[2], pids[2]]);
  await close();
  await eventually(() => !pids.some(isAlive), 30_000);
});

test("include and exclude choose tools, and names that hit nothing are said", { timeout: PATIENCE }, async () => {
  const machine = userServers({
    some: { ...stdioServer(), includeTools: ["echo", "add"], excludeTools: ["add"] },
    rest: { ...stdioServer(), excludeTools: ["crush"] },
  });
  const { tools, notices } = await connectMachine(machine);
  expect(tools.filter(({ name }) => name.startsWith("mcp_some_")).map(({ name }) => name)).toEqual(["mcp_some_echo"]);
  expect(notices).toEqual([
    'MCP server "rest": its settings name the tool "crush", which it does not offer. Did you mean "crash"?',
  ]);
});

test("colliding names are left out on both sides, and said", { timeout: PATIENCE }, async () => {
  const longest = "a".repeat(40);
  const machine = userServers({
    [`${longest}b${longest}`]: { ...stdioServer(), includeTools: ["echo"] },
    [`${longest}c${longest}`]: { ...stdioServer(), includeTools: ["echo", "add"], excludeTools: ["add"] },
    other: { ...stdioServer(), includeTools: ["echo"] },
  });
  const { tools, notices } = await connectMachine(machine);
  expect(tools.map(({ name }) => name)).toEqual(["mcp_other_echo"]);
  expect(notices).toEqual([
    expect.stringMatching(
      /^MCP tools are left out: "echo" of "a+b.*, "echo" of "a+c.* would be called mcp_a+_a+_echo, so/,
    ),
  ]);
});

test.each([
  ["kit", "echo", "mcp_kit_echo"],
  ["kit", "files/read all", "mcp_kit_files_read_all"],
  ["k", "x".repeat(80), `mcp_k_${"x".repeat(25)}_${"x".repeat(31)}`],
])("the tool of %s called %s is %s", (server, tool, name) => {
  expect(mcpToolName(server, tool)).toBe(name);
  expect(mcpToolName(server, tool).length).toBeLessThanOrEqual(63);
});

test("a server over HTTP gets its headers, and is called again after it has forgotten the session", {
  timeout: PATIENCE,
}, async () => {
  const { url, process: server } = await startHttpServer("t0p");
  const machine = userServers({
    web: { url, headers: { Authorization: `Bearer \${WEB_TOKEN}` }, passEnv: ["WEB_TOKEN"] },
    refused: { httpUrl: url },
  });
  const { tools, notices, named, call, close } = await connectMachine(machine, {
    env: { ...process.env, WEB_TOKEN: "t0p" },
  });
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map((tool) => `mcp_web_${tool}`));
  expect(notices).toEqual([expect.stringContaining('MCP server "refused" is left out: ')]);
  expect(notices[0]).toContain("no token");
  expect(named("mcp_web_echo").mcpContext).toEqual({ server_name: "web", tool_name: "echo", url });
  expect(await call("mcp_web_echo", { text: "hi" })).toMatchObject({ llmContent: "hi" });

  server.kill("SIGUSR2");
  await expect(eventualFault(() => call("mcp_web_echo", { text: "hi" }))).resolves.toContain("no such session");
  expect(await call("mcp_web_echo", { text: "again" })).toMatchObject({ llmContent: "again" });

  const closed = new Promise<void>((resolve) => server.stderr?.once("data", () => resolve()));
  await close();
  await closed;
});

test("a server at an address that is neither https nor local is not called", { timeout: PATIENCE }, async () => {
  const { tools, notices, system } = await connectMachine(userServers({ web: { url: "http://tools.example/mcp" } }));
  expect([tools, notices]).toEqual([[], []]);
  expect(system.getStatus().problems).toMatchObject([
    {
      code: "MCP_SERVER_INVALID",
      what: "http://tools.example is neither https nor on this machine, so it is not called.",
    },
  ]);
});

test("the version that servers are told is the program's", () => {
  const { name, version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(clientInfo()).toEqual({ name, version });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z/.test(readFileSync(stat, "utf8"));
}

/** The message of the first call that fails. */
async function eventualFault(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    try {
      await call();
    } catch (error) {
      return String(error);
    }
  }
}
