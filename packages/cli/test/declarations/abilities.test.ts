import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ABILITIES } from "../../src/declarations/abilities/abilities.ts";
import { PROJECT_FILE, USER_FILE, workspace } from "./workspace.ts";

const FOLDER = "project/.system/abilities";
const FILE = `${FOLDER}/x.yaml`;
const SCRIPT = "implementation: { kind: script, command: ./run.sh }";

/** An ability file of a few lines, line 3 and on given. */
const ability = (...lines: readonly string[]) => ["id: deploy", "summary: Deploys it.", ...lines, ""].join("\n");

async function loaded(files: Readonly<Record<string, unknown>>) {
  const space = await workspace({ "project/run.sh": "#!/bin/sh\n", ...files });
  const settings = await space.load();
  return { space, ...settings, said: space.said(settings.problems) };
}

/** What is said about the one file, without its name. */
async function saidOf(text: string, files: Readonly<Record<string, unknown>> = {}) {
  const { abilities, said } = await loaded({ [FILE]: text, ...files });
  return { ability: abilities[0], said: said.map((line) => line.replace(`${FILE}:`, "")) };
}

describe("what an ability declares", () => {
  test("everything is read, and its script is found like that of a hook", async () => {
    const { abilities, said, space, layers } = await loaded({
      [FILE]: [
        "id: write_user",
        "summary: >",
        "  Writes one user.",
        "input:",
        "  type: object",
        "  required: [name]",
        "  properties: { name: { type: string, pattern: '^[a-z]+$' } }",
        "operation_keys: [db.write.user_row, db.write]",
        "environments: [dev, staging]",
        "implementation:",
        "  kind: script",
        "  command: ./write.sh --one extra.sh",
        "  env: { MODE: hard }",
        "  pass_env: [DB_TOKEN]",
        'timeout: "90s"',
        "writes: ['data/**']",
      ].join("\n"),
      // Found beside the file, since the project root has none.
      [`${FOLDER}/write.sh`]: "#!/bin/sh\n",
      "project/extra.sh": "",
    });
    const script = join(space.dir, FOLDER, "write.sh");
    expect(said).toEqual([]);
    expect(layers.find(({ file }) => file.endsWith("x.yaml"))).toMatchObject({ state: "loaded", source: "project" });
    expect(abilities).toEqual([
      {
        kind: "ability",
        name: "write_user",
        description: "Writes one user.",
        source: "project",
        family: "hookline",
        place: { file: join(space.dir, FILE), line: 1, column: 1 },
        type: "script",
        target: {
          fields: { command: `${script} --one extra.sh`, argv: [script, "--one", "extra.sh"] },
          identity: `${script} --one extra.sh`,
          written: "./write.sh --one extra.sh",
          files: [script, join(space.project, "extra.sh")],
          uncovered: [],
        },
        env: { MODE: "hard" },
        passEnv: ["DB_TOKEN"],
        input: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", pattern: "^[a-z]+$" } },
        },
        operationKeys: ["db.write.user_row", "db.write"],
        environments: ["dev", "staging"],
        timeoutMs: 90_000,
        writes: ["data/**"],
        places: {
          names: [
            { name: "write_user", place: { file: join(space.dir, FILE), line: 1, column: 5 } },
            { name: "db.write.user_row", place: { file: join(space.dir, FILE), line: 8, column: 18 } },
            { name: "db.write", place: { file: join(space.dir, FILE), line: 8, column: 37 } },
          ],
          target: { file: join(space.dir, FILE), line: 12, column: 12 },
        },
        definition: ["abilities", expect.objectContaining({ name: "write_user", description: "Writes one user." })],
      },
    ]);
  });

  test("little is needed: any object is its input, and it has five minutes", async () => {
    const { ability: read, said } = await saidOf(ability(SCRIPT));
    expect(said).toEqual([]);
    expect(read).toMatchObject({
      input: { type: "object" },
      timeoutMs: 300_000,
      operationKeys: [],
      environments: [],
      writes: [],
    });
  });

  test("a tool of an MCP server, and a call", async () => {
    const { abilities, said } = await loaded({
      [USER_FILE]: { mcpServers: { kit: { url: "https://kit.example/mcp" } } },
      [`${FOLDER}/a.yml`]: ability("implementation: { kind: mcp, server: kit, tool: make_it }"),
      [`${FOLDER}/b.yaml`]: ability(
        "implementation:",
        "  kind: http",
        "  url: https://x.example/run",
        "  method: PUT",
        `  headers: { Authorization: 'Bearer \${TOKEN}' }`,
        "  pass_env: [TOKEN]",
      ).replace("deploy", "call"),
    });
    expect(said).toEqual([]);
    expect(abilities.map(({ type, target }) => [type, target?.fields])).toEqual([
      ["mcp", { server: "kit", tool: "make_it" }],
      ["http", { method: "PUT", url: "https://x.example/run", headers: { authorization: `Bearer \${TOKEN}` } }],
    ]);
  });

  test("one that is switched off stays listed, with the place of the switch", async () => {
    const { ability: read, said } = await saidOf(ability(SCRIPT, "enabled: false"));
    expect(said).toEqual([]);
    expect(read?.off).toMatchObject({ kind: "switch", by: { line: 4, column: 1 }, what: "enabled: false" });
  });
});

describe("what is wrong with it", () => {
  test.each([
    ["just text", '1:1 error An ability file contains one mapping, not "just text".'],
    [`summary: x\n${SCRIPT}\n`, '1:1 error This ability has no "id".'],
    [ability(SCRIPT).replace("deploy", "Deploy"), '1:5 error The id "Deploy" is neither kebab-case nor snake-case.'],
    [
      ability(SCRIPT).replace("deploy", "edit_file"),
      '1:5 error The id "edit_file" is another name of the tool replace; a guard on it would match both.',
    ],
    [
      ability(SCRIPT).replace("deploy", "mcp_kit_run"),
      '1:5 error The id "mcp_kit_run" begins with "mcp_", as the tools of MCP servers do; a guard on it would match both.',
    ],
    [
      ability(SCRIPT, "operation_keys: [fs.read, Bash]"),
      '4:27 error The operation key "Bash" is another name of the tool run_shell_command; a guard on it would match both.',
    ],
    [ability(SCRIPT, "operation_keys: ['db/**']"), '4:18 error "db/**" cannot be an operation key.'],
    [ability(SCRIPT, "operation_keys: db.write"), '4:17 error "operation_keys" cannot be "db.write".'],
    [ability(SCRIPT, "environments: []"), '4:15 error "environments" is empty.'],
    [ability(SCRIPT, "environments: [dev, 5]"), '4:21 error "environments" cannot contain 5.'],
    [
      ability(SCRIPT, "enviroments: [dev]"),
      '4:1 error "enviroments" is not a field of an ability. Did you mean "environments"?',
    ],
    [ability(SCRIPT, "id: again"), '4:1 error "id" appears twice here; the first is on line 1.'],
    [ability(SCRIPT, "pass_env: [TOKEN]"), '4:1 error "pass_env" has no meaning here.'],
    [ability(SCRIPT, "enabled: 'no'"), '4:10 error "enabled" cannot be "no".'],
    [
      ability(SCRIPT, "timeout: 2 days"),
      '4:10 error "timeout" "2 days" is not a duration; write "250ms", "5s", "2m" or "1h". Until it is corrected this ability is off.',
    ],
    [ability(SCRIPT, "timeout: 25h"), expect.stringContaining("is too long")],
    [
      ability(SCRIPT, "writes: [../outside]"),
      '4:10 error "writes" cannot contain "../outside", which leads out of the project.',
    ],
    [ability(), '1:1 error This ability has no "implementation".'],
    [ability("implementation: ./run.sh"), '3:17 error "implementation" is a mapping, not "./run.sh".'],
    [
      ability("implementation: { kind: scrpt, command: ./run.sh }"),
      '3:25 error "scrpt" is not a kind of implementation. Did you mean "script"?',
    ],
    [ability("implementation: { command: ./run.sh }"), '3:1 error This implementation has no "kind".'],
    [ability("implementation: { kind: script }"), '3:17 error This ability of kind "script" has no "command".'],
    [ability("implementation: { kind: script, command: ' ' }"), expect.stringContaining("it must not be empty")],
    [
      ability("implementation: { kind: script, command: ./gone.sh }"),
      expect.stringMatching(/^3:42 error .* was not found/),
    ],
    [
      ability("implementation: { kind: script, comand: x, command: ./run.sh }"),
      '3:33 error "comand" is not a field of an implementation of kind "script". Did you mean "command"?',
    ],
    [
      ability("implementation: { kind: script, command: ./run.sh, timeout: 5s }"),
      '3:52 error "timeout" has no meaning here.',
    ],
    [
      ability("implementation: { kind: mcp, server: 'a b', tool: x }"),
      '3:38 error "server" cannot be "a b": it must be the name of a server in mcpServers.',
    ],
    [
      ability("implementation: { kind: http, url: ftp://x }"),
      '3:36 error "url" cannot be "ftp://x": it must begin with "https:" or "http:".',
    ],
    [
      ability("implementation: { kind: http, url: https://x, method: GET }"),
      '3:55 error "method" cannot be "GET": it must be POST, PUT, PATCH or DELETE.',
    ],
    [
      ability('implementation: { kind: http, url: https://x, headers: { "a b": c } }'),
      '3:56 error The header "a b" has an invalid name.',
    ],
    [
      ability("implementation: { kind: http, url: http://far.example/x }"),
      "1:1 error http://far.example is neither https nor on this machine, so it is not called.",
    ],
    [
      ability(`implementation: { kind: http, url: https://x, headers: { a: '\${KEY}' } }`),
      `1:1 error Its headers use \${KEY}, which pass_env does not name.`,
    ],
  ])("%j is off, and says why", async (text, why) => {
    const { ability: read, said } = await saidOf(text);
    expect(said).toEqual([why]);
    expect(read?.off).toMatchObject({ kind: "broken", problem: { code: "ABILITY_INVALID" } });
  });

  test.each([
    [`id: deploy\n${SCRIPT}\n`, "1:1 warning This ability has no summary."],
    [
      ability("implementation: { kind: http, url: https://x, env: { A: b } }"),
      '3:47 warning "env" is not a field of an implementation of kind "http".',
    ],
    [ability(SCRIPT, "tags: [x]"), '4:1 warning "tags" is not a field of an ability.'],
    [ability(SCRIPT, "timeout: 30"), '4:10 warning timeout 30 is read as 30 s; write "30s".'],
    [
      ability("implementation: { kind: mcp, server: gihub, tool: x }"),
      '3:38 warning There is no MCP server "gihub", so this ability will fail. Did you mean "github"?',
    ],
    [ability("implementation: { kind: script, command: ./plain }"), expect.stringContaining("is not executable")],
  ])("%j is on, with a warning", async (text, why) => {
    const { ability: read, said } = await saidOf(text, {
      [USER_FILE]: { mcpServers: { github: { url: "https://x.example" } } },
      "project/plain": "",
    });
    expect(said).toEqual([why]);
    expect(read).not.toHaveProperty("off");
  });

  test.each([
    ["input: [x]", '4:8 error "input" is a JSON Schema, not ["x"].'],
    ["input: { properties: {} }", '4:1 error "input" does not say its type.'],
    ["input: { type: string }", '4:16 error An input is an object, not "string".'],
    ["input: { type: object, properties: { a: { type: strng } } }", '4:49 error "type" cannot be "strng".'],
    ["input: { type: object, properties: [a] }", '4:36 error "properties" cannot be ["a"].'],
    ["input: { type: object, properties: { a: string } }", '4:41 error A schema is a mapping, not "string".'],
    ["input: { type: object, required: a }", '4:34 error "required" cannot be "a".'],
    ["input: { type: object, anyOf: [{ minLength: -1 }] }", '4:45 error "minLength" cannot be -1.'],
    ["input: { type: object, properties: { a: { pattern: '(' } } }", '4:52 error "pattern" cannot be "(".'],
    ["input: { type: object, $ref: 'https://x.example/s' }", '4:30 error "$ref" cannot be "https://x.example/s".'],
    [
      "input: { type: object, requird: [a] }",
      '4:24 warning "requird" is not a keyword of JSON Schema and has no effect. Did you mean "required"?',
    ],
  ])("%j is no schema of an input", async (input, why) => {
    const { ability: read, said } = await saidOf(ability(SCRIPT, input));
    expect(said).toEqual([why]);
    expect(read?.off?.kind).toBe(why.includes("error") ? "broken" : undefined);
  });

  test("a schema that uses what JSON Schema has is taken as it is", async () => {
    const schema = {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/name" },
        b: { type: ["integer", "null"], minimum: 0, default: 3 },
        c: { type: "array", items: { enum: ["x", 1] }, minItems: 1, uniqueItems: true },
        d: { oneOf: [{ const: 1 }, { not: { type: "string" } }] },
        "x-own": true,
      },
      additionalProperties: false,
      "x-tool": { anything: [1] },
      $defs: { name: { type: "string", format: "email", maxLength: 9 } },
    };
    const { ability: read, said } = await saidOf(ability(SCRIPT, `input: ${JSON.stringify(schema)}`));
    expect([said, read?.input]).toEqual([[], schema]);
  });
});

test("one bad file disables only itself, be it unreadable YAML", async () => {
  const { abilities, said, layers } = await loaded({
    [`${FOLDER}/a.yaml`]: "id: [x\nsummary: y",
    [`${FOLDER}/b.yaml`]: "id: 5 5\n",
    [`${FOLDER}/c.yaml`]: ability(SCRIPT),
    [`${FOLDER}/.hidden.yaml`]: "x",
    [`${FOLDER}/notes.txt`]: "x",
  });
  expect(abilities.map(({ name, off }) => [name, off?.kind])).toEqual([
    ["b", "broken"],
    ["deploy", undefined],
  ]);
  expect(said[0]).toMatch(/a\.yaml:2:1 error This is not YAML/);
  expect(layers.filter(({ state }) => state === "broken").map(({ file }) => file.slice(-6))).toEqual(["a.yaml"]);
});

test("a file that holds two documents is told to hold one ability", async () => {
  const { said } = await saidOf(`${ability(SCRIPT)}---\nid: y\n`);
  expect(said).toEqual(["4:1 error The file holds more than one document; write one ability per file."]);
});

test("a name borne twice stays with the file that sorts first, whether it is an id or an operation key", async () => {
  const named = (id: string, keys: string) => ability(SCRIPT, `operation_keys: [${keys}]`).replace("deploy", id);
  const { abilities, said, space } = await loaded({
    [`${FOLDER}/a.yaml`]: named("one", "db.write, one"),
    [`${FOLDER}/b.yaml`]: named("two", "db.read, db.write"),
    [`${FOLDER}/c.yaml`]: named("one", "x"),
    [`${FOLDER}/d.yaml`]: named("three", "two"),
    [`${FOLDER}/e.yaml`]: named("four", "y"),
  });
  const by = (file: string) => `is also a name of the ability at ${FOLDER}/${file}:1:1, so this one is off.`;
  expect(said).toEqual([
    `${FOLDER}/b.yaml:4:27 error "db.write" ${by("a.yaml")}`,
    `${FOLDER}/c.yaml:1:5 error "one" ${by("a.yaml")}`,
    `${FOLDER}/d.yaml:4:18 error "two" ${by("b.yaml")}`,
  ]);
  expect(abilities.filter(({ off }) => off === undefined).map(({ name }) => name)).toEqual(["one", "four"]);
  expect(space.relative(abilities[1]?.off)).toMatchObject({ kind: "broken", problem: { code: "ABILITY_INVALID" } });
});

test("the user's allowHosts opens an address, the project's does not", async () => {
  const call = ability("implementation: { kind: http, url: http://far.example/x }");
  const allow = { hooksConfig: { http: { allowHosts: ["far.example"] } } };
  const users = await loaded({ [FILE]: call, [USER_FILE]: allow });
  expect(users.abilities[0]?.off).toBeUndefined();
  const projects = await loaded({ [FILE]: call, [PROJECT_FILE]: allow });
  expect(projects.abilities[0]?.off?.kind).toBe("broken");
});

test("files and folder are watched, and a file that breaks during a session keeps what it declared", async () => {
  const { space, ...before } = await loaded({ [FILE]: ability(SCRIPT) });
  expect(before.watch).toEqual(expect.arrayContaining([join(space.dir, FOLDER), join(space.dir, FILE)]));
  const system = await space.start("all");
  await space.write({ [FILE]: "id: [half sav" });
  expect((await space.load()).abilities).toEqual([]);
  await system.reload();
  expect(system.getDeclared(ABILITIES)).toEqual(before.abilities);
});

test("abilities further out in the work tree are said not to be loaded", async () => {
  const space = await workspace({ [FILE]: ability(SCRIPT), "project/.git/HEAD": "", "project/sub/.system/x": "" });
  const { abilities, problems } = await space.load(join(space.project, "sub"));
  expect(abilities).toEqual([]);
  expect(space.said(problems)).toEqual([
    `${FILE}:1:1 warning The ability declared here, outside the project root, is not loaded.`,
  ]);
});
