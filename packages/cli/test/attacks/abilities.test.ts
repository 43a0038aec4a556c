import { describe, expect, test } from "vitest";
import { AgentProject, type AgentRun } from "../support/agentProject.ts";
import type { Files } from "../support/machine.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";
import { stdioServer } from "../tools/mcpFixtures.ts";

const ability = (id: string, fields: string) => ({
  [`.system/abilities/${id}.yaml`]: `id: ${id}\nsummary: Does ${id}.\n${fields}`,
});
const script = (id: string, fields = "") =>
  ability(id, `${fields}implementation:\n  kind: script\n  command: touch ran\n`);
const guard = (event: string, scope: string) => ({
  ".system/hooks/guard.yaml": `id: guard\nevent_type: ${event}\nenabled: true\nblocking: true\nmatch:\n  ability_scope: "${scope}"\nhandler:\n  kind: script\n  command: hooks/guard.sh\n`,
  "hooks/guard.sh": "#!/bin/sh\necho not today >&2\nexit 2\n",
});

const lastResult = (run: AgentRun) => run.modelSaw(run.requests.length).at(-1) ?? "";

describe("a model cannot leave the environment that its operator set", () => {
  const create = (args: object) => [calls("create_task", args), says("Done.")];

  test.each<[string, Files, object]>([
    [
      "for an ability of another one",
      script("reset", "environments: [dev]\n"),
      { ability: "reset", environment: "dev" },
    ],
    ["for an ability of any", script("reset"), { ability: "reset", environment: "dev" }],
    ["for one of both", script("reset", "environments: [dev, prod]\n"), { ability: "reset", environment: "dev" }],
    ["by another case", script("reset", "environments: [Prod]\n"), { ability: "reset", environment: "Prod" }],
  ])("by naming another %s", async (_, files, args) => {
    const run = await new AgentProject({ files }).run({ answers: create(args), env: { HOOKLINE_ENV: "prod" } });
    expect(run.json.toolCalls).toMatchObject([{ status: "blocked" }]);
    expect(lastResult(run)).toContain("ABILITY_DENIED");
  });

  test("by running a task that was made for another", async () => {
    const project = new AgentProject({ files: script("reset") });
    const made = await project.machine.cli(["task", "create", "reset", "--env", "dev", "--trust-project"]);
    const [task_key = ""] = /t-[\w-]+/.exec(made.stdout) ?? [];
    const run = await project.run({
      answers: [calls("run_task", { task_key }), says("Done.")],
      env: { HOOKLINE_ENV: "prod" },
    });
    expect(lastResult(run)).toContain("ABILITY_DENIED");
    expect(run.has("ran")).toBe(false);
  });

  test("by --env in its shell", async () => {
    const project = new AgentProject({ files: script("reset") });
    const env = { HOOKLINE: "1", HOOKLINE_ENV: "prod" };
    const ended = await project.machine.cli(["ability", "run", "reset", "--env", "dev", "--trust-project"], { env });
    expect([ended.code, project.machine.has("project/ran")]).toEqual([1, false]);
  });
});

describe("a guard is asked whichever way a server's tool is called", () => {
  const servers = { ".hookline/settings.json": { mcpServers: { local: stdioServer() } } };
  const sum = ability(
    "sum",
    "operation_keys: [math.sum]\nimplementation:\n  kind: mcp\n  server: local\n  tool: add\n",
  );
  const add = callsAll([{ name: "mcp_local_add", args: { a: 1, b: 2 } }]);

  test.each(["sum", "math.sum", "math.*", "s*m"])("by its own name, guarded as the ability %s", async (scope) => {
    const project = new AgentProject({ files: { ...servers, ...sum, ...guard("PreAbilityCall", scope) } });
    const run = await project.run({ answers: [add, says("Done.")] });
    expect(run.json.toolCalls).toMatchObject([{ status: "blocked", blockedBy: "guard" }]);
    expect(lastResult(run)).toContain("not today");
  });

  test.each(["mcp_local_add", "mcp_local_.*"])("as an ability, guarded as the tool %s", async (matcher) => {
    const hooks = { BeforeTool: [{ matcher, hooks: [{ type: "command", name: "guard", command: "hooks/guard.sh" }] }] };
    const settings = { ...servers[".hookline/settings.json"], hooks };
    const files = {
      ...sum,
      ".hookline/settings.json": settings,
      "hooks/guard.sh": "#!/bin/sh\necho not today >&2\nexit 2\n",
    };
    const project = new AgentProject({ files });
    const args = ["ability", "run", "sum", "--input", '{"a":1,"b":2}', "--trust-project"];
    const { stdout, stderr } = await project.machine.cli(args);
    expect(stdout + stderr).toContain("not today");
  });
});

describe("an input that a model chooses does not keep the program busy for ever", () => {
  const BAD = "^(a+)+$";
  const LONG = `${"a".repeat(40)}!`;
  const steps = Array.from({ length: 30 }, (_, n) => {
    const next = { $ref: `#/$defs/s${n + 1}` };
    return [`s${n}`, { anyOf: [next, next] }];
  });
  const $defs = Object.fromEntries([...steps, ["s30", { type: "string" }]]);

  test.each<[string, object, unknown]>([
    ["an expression for a text", { properties: { x: { pattern: BAD } } }, { x: LONG }],
    ["an expression for names", { propertyNames: { pattern: BAD } }, { [LONG]: 1 }],
    ["an expression that chooses a rule by name", { patternProperties: { [BAD]: { type: "string" } } }, { [LONG]: 1 }],
    ["an expression in one of several rules", { anyOf: [{ properties: { x: { pattern: BAD } } }] }, { x: LONG }],
    ["references that double", { properties: { x: { $ref: "#/$defs/s0" } }, $defs }, { x: 1 }],
    [
      "items that must all differ",
      { properties: { x: { type: "array", uniqueItems: true } } },
      { x: Array.from({ length: 60_000 }, (_, n) => ({ n })) },
    ],
  ])("where the schema has %s", async (_what, schema, input) => {
    const files = script("reset", `input: ${JSON.stringify({ type: "object", ...schema })}\n`);
    const project = new AgentProject({ files });
    const answers = [calls("create_task", { ability: "reset", input }), says("Done.")];
    const { child, look } = project.start({ answers });
    const ended = await endOrHang(child);
    if (ended === "hung") expect.fail("it hung");
    expect(lastResult(look(ended))).toContain("could not be checked within 1 s");
  });
});

test("a schema cannot have its own check left out", async () => {
  const files = script("reset", `input: ${JSON.stringify({ $async: true, type: "object", required: ["x"] })}\n`);
  const run = await new AgentProject({ files }).run({
    answers: [calls("create_task", { ability: "reset", input: {} }), says("Done.")],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(lastResult(run)).toContain("must have required property 'x'");
});
