import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";

/** Names under which credentials travel, with something before or after what usually tells them. */
const NAMES = `
  OPENAI_API_KEY_2 API_KEY_PROD GITHUB_TOKEN_RO TOKEN_GITHUB MYSECRET SECRETKEY AUTHORIZATION PASS DATABASE_URL_RO
  KEY PAT_GITHUB GITHUB_PAT_2 PASS_PROD DB_PASS_2 TOKENS GITHUBTOKEN githubToken SECRETS_JSON HTTP_AUTHORIZATION
  OPENAIKEY GITHUBPAT MY_STRIPEKEY_2
  SIGNING_KEY_V2 DSN_PROD SENTRY_DSN_BACKEND CI_JOB_JWT_V2 BEARER COOKIE_JAR LDAP_BIND_PW PGPASS REDIS_URL_2
  PROD_MONGO_URI JDBC_URL_REPLICA SLACK_WEBHOOK_URL_OPS WALLET_MNEMONIC MYSQL_PWD_RO HF_TOKEN_READ VAULT_TOKEN_1
`
  .trim()
  .split(/\s+/);
/** Names that a rule for the others could take by mistake. */
const HARMLESS = `
  AWS_CA_BUNDLE AWS_REGION AWS_DEFAULT_REGION GIT_AUTHOR_NAME TOKENIZERS_PARALLELISM SSH_AUTH_SOCK KEYBOARD MONKEY
  MAX_TOKENS PASSENGER_ENV COMPASS
`
  .trim()
  .split(/\s+/);

const secretOf = (name: string) => `hunter-${name.toLowerCase().replaceAll("_", "-")}-x`;
const environment = Object.fromEntries([...NAMES, ...HARMLESS].map((name) => [name, secretOf(name)]));
const namesIn = (text: string) => [...NAMES, ...HARMLESS].filter((name) => text.includes(secretOf(name)));

const WORKER = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
writeFileSync("seen.txt", JSON.stringify(process.env));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, event } = JSON.parse(line);
  if (event) console.log(JSON.stringify({ id, output: {} }));
});`;

/** A server that has no tools. */
const MCP_SERVER = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
writeFileSync("seen.txt", JSON.stringify(process.env));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" }, tools: [] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

const looks = (hook: object) => ({ hooks: { BeforeTool: [{ hooks: [{ name: "looks", ...hook }] }] } });

describe("credentials in the environment", () => {
  test.each([
    ["a command hook", looks({ type: "command", command: "env > seen.txt" })],
    ["a worker", looks({ type: "worker", command: `${process.execPath} worker.mjs` })],
    ["an MCP server", { mcpServers: { kit: { command: process.execPath, args: ["server.mjs"] } } }],
  ])("do not reach %s, and other variables do", async (_, settings) => {
    const project = new AgentProject({
      files: { ".hookline/settings.json": settings, "worker.mjs": WORKER, "server.mjs": MCP_SERVER },
    });
    const run = await project.run({
      answers: [calls("list_directory", { path: "." }), says("done")],
      env: environment,
    });
    expect(namesIn(run.file("seen.txt"))).toEqual(HARMLESS);
  });

  test("do not reach a command of the model, and other variables do", async () => {
    const answers = [calls("run_shell_command", { command: "env > seen.txt" }), says("done")];
    const run = await new AgentProject().run({ answers, env: environment });
    expect(namesIn(run.file("seen.txt"))).toEqual(HARMLESS);
  });

  test("are not written into the journal when a model or a tool spells them out", async () => {
    const hooks = [{ on: "AfterTool", name: "watches" }];
    const project = new AgentProject({ hooks });
    const lines = NAMES.map((name) => `${name}=${secretOf(name)}`);
    const answers = [
      callsAll([
        { name: "run_shell_command", args: { command: `cat <<'EOF'\n${lines.join("\n")}\nEOF` } },
        { name: "run_shell_command", args: { command: `export ${lines.slice(0, 12).join(" ")}` } },
      ]),
      says("done"),
    ];
    await project.run({ answers });
    const { stdout } = await project.machine.cli(["log", "--json"]);
    expect(stdout).toContain("run_shell_command");
    expect(namesIn(stdout)).toEqual([]);
  });
});

describe("the names of credentials", () => {
  const DYING_WORKER = "process.stdin.once('data', () => process.exit(3));";

  test.each([
    ["a command that fails", { type: "command", command: "echo 'DEPLOY_TOKEN is not set' >&2; exit 1" }],
    ["a command that is out of time", { type: "command", command: "echo 401; sleep 30", timeout: "1s" }],
    ["a command that does not exist", { type: "command", command: "no-such-program --check" }],
    ["a worker that dies", { type: "worker", command: `${process.execPath} dying.mjs` }],
  ])("do not reach the model from %s", async (_, hook) => {
    const settings = { hooks: { BeforeTool: [{ hooks: [{ name: "guard", onError: "block", ...hook }] }] } };
    const project = new AgentProject({ files: { ".hookline/settings.json": settings, "dying.mjs": DYING_WORKER } });
    const env = { DEPLOY_TOKEN: "hunter-one", PROD_API_KEY: "hunter-two" };
    const run = await project.run({ answers: [calls("list_directory", { path: "." }), says("done")], env });
    const seen = run.modelSaw(2).join("\n");
    expect(seen).toContain("guard");
    expect(seen).not.toMatch(/PROD_API_KEY|withheld|passEnv/i);
  });

  test("are told to the person, where the hook's own output suggests it", async () => {
    const hook = { type: "command", name: "guard", command: "echo 'DEPLOY_TOKEN is not set' >&2; exit 1" };
    const settings = { hooks: { BeforeTool: [{ hooks: [hook] }] } };
    const { machine } = new AgentProject({ files: { ".hookline/settings.json": settings } });
    const env = { DEPLOY_TOKEN: "hunter-one", PROD_API_KEY: "hunter-two" };
    const fired = await machine.cli(["fire", "BeforeTool", "--trust-project"], { env });
    for (const { stdout } of [fired, await machine.cli(["log"])]) {
      expect(stdout).toContain("withheld from its environment: DEPLOY_TOKEN;");
      expect(stdout).not.toContain("PROD_API_KEY");
    }
  });
});
