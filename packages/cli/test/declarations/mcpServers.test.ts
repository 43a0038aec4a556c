import { join } from "node:path";
import { HANDLERS, settingsSchema } from "@hookline/engine/program";
import { describe, expect, test } from "vitest";
import { DECLARATION_KINDS } from "../../src/declarations/index.ts";
import { PROJECT_FILE, SYSTEM_SETTINGS, USER_FILE, type Workspace, workspace } from "./workspace.ts";

const kinds = HANDLERS.map(({ kind }) => kind);
const NODE = process.execPath;

/** What is loaded from these servers of a project. */
async function loaded(mcpServers: unknown, files: Readonly<Record<string, unknown>> = {}) {
  const space = await workspace({ ...files, [PROJECT_FILE]: { mcpServers } });
  return { space, ...(await space.load()) };
}

const said = ({ said: words }: Workspace, problems: Parameters<Workspace["said"]>[0]) =>
  words(problems).map((line) => line.replace(/^project\/\.hookline\/settings\.json:/, ""));

describe("what a server starts", () => {
  test("a program with words of its own, found by the rule for hooks and read by no shell", async () => {
    const { servers, problems, space } = await loaded(
      { files: { command: NODE, args: ["tools/server.mjs", "--root", "$HOME; rm -rf 'x'", ""], timeout: "5s" } },
      { "project/tools/server.mjs": "" },
    );
    const script = join(space.project, "tools/server.mjs");
    const args = [script, "--root", "$HOME; rm -rf 'x'", ""];
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        kind: "server",
        name: "files",
        source: "project",
        family: "hookline",
        place: { file: join(space.dir, PROJECT_FILE), line: 3, column: 5 },
        type: "stdio",
        target: {
          fields: { command: NODE, args, argv: [NODE, ...args] },
          identity: JSON.stringify([[NODE, ...args], null]),
          files: [script],
          uncovered: [],
        },
        timeoutMs: 5_000,
        env: {},
        passEnv: [],
        excludeTools: [],
        definition: ["mcpServers", { name: "files", type: "stdio", timeoutMs: 5_000, excludeTools: [] }],
      },
    ]);
  });

  test("a bare name is found in PATH, a path in the project, and what nobody looked at is named", async () => {
    const { servers, space } = await loaded(
      {
        found: { command: "node", args: ["-e", "1"] },
        own: { command: "./run.sh" },
        npx: { command: "node", args: ["x.js"], cwd: "sub" },
      },
      { "project/run.sh": "#!/bin/sh\n", "project/sub/x.js": "" },
    );
    const [found, own, npx] = servers.map(({ target }) => target);
    expect(found?.fields).toMatchObject({ command: "node", argv: [expect.stringMatching(/^\/.*node$/), "-e", "1"] });
    expect(own).toMatchObject({ files: [join(space.project, "run.sh")] });
    expect(npx).toMatchObject({
      fields: { cwd: join(space.project, "sub") },
      files: [join(space.project, "sub/x.js")],
    });
  });

  test("an address, under either name, with the rules for http hooks", async () => {
    const { servers, problems } = await loaded({
      web: { url: "https://tools.example/mcp", headers: { Authorization: `Bearer \${T}` }, passEnv: ["T"] },
      older: { httpUrl: "http://127.0.0.1:8080/mcp", includeTools: ["a"], excludeTools: ["b"] },
    });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      {
        type: "http",
        target: { fields: { url: "https://tools.example/mcp", headers: { authorization: `Bearer \${T}` } } },
        passEnv: ["T"],
      },
      {
        type: "http",
        target: { fields: { url: "http://127.0.0.1:8080/mcp" } },
        includeTools: ["a"],
        excludeTools: ["b"],
      },
    ]);
  });

  test("a plain address elsewhere is called where a user's option names its host, and nowhere else", async () => {
    const space = await workspace({
      [PROJECT_FILE]: { mcpServers: { web: { url: "http://tools.example/mcp" }, other: { url: "http://x.example/" } } },
      [USER_FILE]: { hooksConfig: { http: { allowHosts: ["tools.example"] } } },
    });
    const { servers } = await space.load();
    expect(servers.map(({ name, off }) => [name, off?.kind])).toEqual([
      ["web", undefined],
      ["other", "broken"],
    ]);
  });

  test("a settings file with servers fits its schema, and one with other fields does not", () => {
    const schema = settingsSchema(kinds, [], DECLARATION_KINDS);
    const stdio = {
      command: "node",
      args: ["x"],
      cwd: ".",
      env: { A: 1 },
      passEnv: ["B"],
      timeout: "5s",
      includeTools: ["a"],
    };
    const http = { url: "https://x.example", headers: { a: "b" }, excludeTools: ["c"], description: "d" };
    const value = { mcpServers: { stdio, http, older: { httpUrl: "http://127.0.0.1/" } } };
    expect(schema.safeParse(value)).toEqual({ success: true, data: value });
    for (const server of [
      {},
      { command: "a", url: "https://x.example" },
      { command: "a", trust: true },
      { url: "ftp://x" },
    ]) {
      expect(schema.safeParse({ mcpServers: { server } }).success, JSON.stringify(server)).toBe(false);
    }
    expect(schema.safeParse({ mcpServers: { "a b": stdio } }).success).toBe(false);
  });

  test("a relative path of a user's server is never looked for in the project", async () => {
    const space = await workspace({
      "project/server.sh": "#!/bin/sh\n",
      [USER_FILE]: { mcpServers: { mine: { command: "./server.sh" } } },
    });
    const { servers, problems } = await space.load();
    expect(servers).toMatchObject([{ name: "mine", off: { kind: "broken" } }]);
    expect(space.said(problems)).toEqual([
      'home/.hookline/settings.json:4:18 error "./server.sh" was not found; looked for home/.hookline/server.sh.',
    ]);
  });
});

describe("what is wrong with a server", () => {
  test.each<[string, unknown, string]>([
    ["no object", 3, "3:12 error A server is an object, not 3."],
    ["nothing to start", {}, '3:5 error This server has neither "command" nor "url".'],
    ["two ways", { command: "node", url: "https://x.example" }, '3:5 error This server has both "command" and "url".'],
    ["no text", { command: 3 }, '4:18 error "command" cannot be 3: it must be text.'],
    [
      "no text among the arguments",
      { command: "node", args: ["a", 1] },
      '5:15 error "args" cannot be ["a",1]: every argument is text.',
    ],
    ["no program", { command: "no-such-program-here" }, '4:18 error "no-such-program-here" is not in PATH.'],
    [
      "a whole command line",
      { command: "npx -y server" },
      '4:18 error "command" must be a program without arguments; there is no program "npx -y server".',
    ],
    [
      "no folder",
      { command: "node", cwd: "nowhere" },
      "5:14 error There is no folder project/nowhere or project/.hookline/nowhere.",
    ],
    ["no url", { url: "https://" }, '4:14 error "https://" is not a url.'],
    [
      "another protocol",
      { httpUrl: "ftp://x" },
      '4:18 error "httpUrl" cannot be "ftp://x": it must begin with "https:" or "http:".',
    ],
    [
      "a header that is not its own",
      { url: "https://x.example/", headers: { Host: "y" } },
      '5:18 error The header "Host" cannot be set here.',
    ],
    [
      "a plain address elsewhere",
      { url: "http://x.example/" },
      "3:5 error http://x.example is neither https nor on this machine, so it is not called.",
    ],
    [
      "a header that uses what it is not given",
      { url: "https://x.example/", headers: { a: `\${KEY}` } },
      `3:5 error Its headers use \${KEY}, which passEnv does not name.`,
    ],
    [
      "an environment that uses what it is not given",
      { command: "node", env: { A: `\${KEY}` } },
      `3:5 error Its env uses \${KEY}, which passEnv does not name.`,
    ],
    [
      "a misspelt field that holds something back",
      { command: "node", excludeTool: ["rm"] },
      '5:7 error "excludeTool" is not a field of a server; until it is corrected this server does not start. Did you mean "excludeTools"?',
    ],
    [
      "a switch of other programs",
      { command: "node", disabled: true },
      '5:7 error "disabled" is not a field of a server; until it is corrected this server does not start.',
    ],
  ])("%s: it is off, and said in its place", async (_, server, line) => {
    const { servers, problems, space } = await loaded({ bad: server, good: { command: NODE } });
    expect(said(space, problems)).toEqual([line]);
    expect(problems[0]?.code).toBe("MCP_SERVER_INVALID");
    expect(servers).toMatchObject([{ name: "bad", off: { kind: "broken" } }, { name: "good" }]);
    expect(servers[1]?.off).toBeUndefined();
  });

  test("a name that is none, and a list in the place of names", async () => {
    const { servers, problems, space } = await loaded({ "a b": { command: NODE } });
    expect(said(space, problems)).toEqual(['3:5 error "a b" cannot be the name of a server.']);
    expect(servers).toMatchObject([{ off: { kind: "broken" } }]);
    const list = await loaded([]);
    expect(said(list.space, list.problems)).toEqual([
      '2:17 error "mcpServers" is an object with an entry per server, not [].',
    ]);
  });

  test("what other programs read here is said not to be supported; the server is started", async () => {
    const server = {
      command: NODE,
      trust: true,
      type: "stdio",
      oauth: {},
      timout: "5s",
      headers: {},
      timeout: 30,
      env: { A: "$B" },
    };
    const { servers, problems, space } = await loaded({ kit: server });
    expect(said(space, problems)).toEqual([
      '5:7 warning "trust" is not supported and has no effect.',
      '6:7 warning "type" is not supported and has no effect.',
      '7:7 warning "oauth" is not supported and has no effect.',
      '8:7 warning "timout" is not a field of a server. Did you mean "timeout"?',
      '9:7 warning "headers" has no effect beside "command".',
      '10:18 warning timeout 30 is read as 30 s; write "30s".',
      '12:14 warning The variable "A" gets the literal text "$B".',
    ]);
    expect(servers).toMatchObject([{ name: "kit", timeoutMs: 30_000 }]);
    expect(servers[0]?.off).toBeUndefined();
  });

  test("a misspelt mcpServers is noticed; servers of extensions and of outer folders are said not to be read", async () => {
    const space = await workspace({
      "project/.git/HEAD": "",
      [PROJECT_FILE]: { mcpServers: { a: { command: "node" } } },
      "project/sub/.hookline/settings.json": { mcpServer: {} },
      "home/.hookline/extensions/x/hooks/hooks.json": { mcpServers: { b: { command: "node" } } },
    });
    const { servers, problems } = await space.load(join(space.project, "sub"));
    expect(servers).toEqual([]);
    expect(space.said(problems)).toEqual([
      'project/sub/.hookline/settings.json:2:3 warning "mcpServer" is not read. Did you mean "mcpServers"?',
      'home/.hookline/extensions/x/hooks/hooks.json:3:5 warning "mcpServers" is not read from an extension.',
      "project/.hookline/settings.json:2:3 warning MCP servers declared here, outside the project root, are not started.",
    ]);
  });
});

describe("one server per name", () => {
  test("a project cannot stand in for a user's server, nor a user for the system's, also where that one is broken", async () => {
    const space = await workspace({
      [PROJECT_FILE]: {
        mcpServers: { github: { command: "./evil.sh" }, docs: { command: NODE }, own: { command: NODE } },
      },
      "project/evil.sh": "#!/bin/sh\n",
      [USER_FILE]: { mcpServers: { github: { command: "no-such-program-here" }, docs: { command: NODE } } },
      [SYSTEM_SETTINGS]: { mcpServers: { docs: { command: NODE } } },
    });
    const { servers, problems } = await space.load();
    expect(servers.map(({ name, source, off }) => [name, source, off?.kind])).toEqual([
      ["github", "project", "switch"],
      ["docs", "project", "switch"],
      ["own", "project", undefined],
      ["github", "user", "broken"],
      ["docs", "user", "switch"],
      ["docs", "system", undefined],
    ]);
    expect(space.said(problems).filter((line) => line.includes("also declared"))).toEqual([
      'project/.hookline/settings.json:3:5 warning This server does not start: "github" is also declared at home/.hookline/settings.json:3:5 (user), which takes precedence.',
      'project/.hookline/settings.json:6:5 warning This server does not start: "docs" is also declared at etc/settings.json:3:5 (system), which takes precedence.',
      'home/.hookline/settings.json:6:5 warning This server does not start: "docs" is also declared at etc/settings.json:3:5 (system), which takes precedence.',
    ]);
  });

  test("of two in one layer the first counts", async () => {
    const space = await workspace({
      [USER_FILE]: { mcpServers: { kit: { command: NODE } } },
      "home/.gemini/settings.json": { mcpServers: { kit: { command: "node" }, other: { command: NODE } } },
    });
    const { servers } = await space.load();
    expect(servers.map(({ name, family, off }) => [name, family, off?.kind])).toEqual([
      ["kit", "hookline", undefined],
      ["kit", "gemini", "switch"],
      ["other", "gemini", undefined],
    ]);
  });
});

test("a bare timeout of a server in a .gemini file is milliseconds, as its own program reads it", async () => {
  const mcpServers = { tools: { url: "https://tools.example.org", timeout: 600 } };
  const space = await workspace({ "project/.gemini/settings.json": { mcpServers } });
  const { servers, problems } = await space.load();
  expect(servers).toMatchObject([{ timeoutMs: 600 }]);
  expect(space.said(problems).filter((line) => line.includes("timeout"))).toEqual([]);
});
