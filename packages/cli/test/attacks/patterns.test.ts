import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { ENGINE, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";

/** Each takes years on the name of a tool, if it is tried out by backtracking. */
const SLOW = "^((((([a-z_]*)*)*)*)*)*X$";
const SLOW_PATTERNS = [
  ["nested stars", SLOW],
  ["nested plusses", "^(((((([a-z_]+)+)+)+)+)+)+X$"],
  ["nested alternatives", "^((((([a-z_]|[a-z])*)*)*)*)*X$"],
  ["nested stars behind a look-ahead", "^(?=[a-z])((((([a-z_]*)*)*)*)*)*X$"],
  ["nested stars behind a backreference", "^(r)?\\1((((([a-z_]*)*)*)*)*)*X$"],
] as const;
const UNTRUSTED = "its project is not trusted";
const hook = { name: "x", command: "true" };
const broken = { name: "broken", command: "./gone.sh", onError: "block" };
const yaml = (id: string, lines: readonly string[]) =>
  [`id: ${id}`, ...lines, "handler: { kind: script, command: 'true' }"].join("\n");

test.each(SLOW_PATTERNS)("a matcher of an untrusted project does not hang explain: %s", async (_what, matcher) => {
  const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeTool", [hook], { matcher }) });
  const ended = await endOrHang(machine.start(["explain", "BeforeTool", "run_shell_command"]));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(UNTRUSTED) });
});

test.each(SLOW_PATTERNS)("a matcher that needs no trust does not hang a run: %s", async (_what, matcher) => {
  const project = new AgentProject({
    files: { ".hookline/settings.json": hooksOn("BeforeTool", [broken], { matcher }) },
  });
  const answers = [calls("list_directory", { dir_path: "." }), says("done")];
  const { child } = project.start({ answers });
  expect(await endOrHang(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('"response": "done"') });
});

test("a slow matcher of a trusted project still guards, and does not hang the run", async () => {
  const deny = { name: "guard", command: "echo no >&2; exit 2" };
  const project = new AgentProject({
    files: { ".hookline/settings.json": hooksOn("BeforeTool", [deny], { matcher: `${SLOW}|^run_shell` }) },
  });
  const { child } = project.start({ answers: [calls("run_shell_command", { command: "touch ran" }), says("done")] });
  expect(await endOrHang(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('"status": "blocked"') });
  expect(project.machine.has("project/ran")).toBe(false);
});

test("a slow matcher of the user that only JavaScript can run counts as a match", async () => {
  const deny = { name: "guard", command: "echo no >&2; exit 2" };
  const project = new AgentProject();
  project.machine.write({ [USER_FILE]: hooksOn("BeforeTool", [deny], { matcher: SLOW_PATTERNS[3][1] }) });
  const { child } = project.start({ answers: [calls("run_shell_command", { command: "touch ran" }), says("done")] });
  expect(await endOrHang(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('"status": "blocked"') });
  expect(project.machine.has("project/ran")).toBe(false);
});

const SCOPE = `ability_scope: "a${"*a".repeat(25)}b"`;
const LONG = "a".repeat(60);
test.each([
  ["ability_scope", ["event_type: PreAbilityCall", `match: { ${SCOPE} }`], ["PreAbilityCall", LONG], UNTRUSTED],
  [
    "ability_scope in braces",
    ["event_type: PreAbilityCall", `match: { ability_scope: "{x,${"*a".repeat(25)}b}" }`],
    ["PreAbilityCall", LONG],
    UNTRUSTED,
  ],
  [
    "only_if_changed_paths",
    ["event_type: SessionStop", `match: { only_if_changed_paths: "${"*a".repeat(25)}b" }`],
    ["SessionStop", `changed_files=["${LONG}"]`],
    "no changed path matches",
  ],
] as const)("a glob of an untrusted project does not hang explain: %s", async (_what, lines, args, reason) => {
  const machine = new Machine({ "project/.system/hooks/x.yaml": yaml("x", lines) });
  const ended = await endOrHang(machine.start(["explain", ...args]));
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(reason) });
});

test("a glob of an untrusted project does not hang validate", async () => {
  const machine = new Machine({
    "project/.system/hooks/x.yaml": yaml("x", ["event_type: PreAbilityCall", `match: { ${SCOPE} }`]),
    [`project/.system/abilities/${LONG}.yaml`]: `id: ${LONG}\nsummary: long\nimplementation: { kind: script, command: 'true' }\n`,
  });
  const ended = await endOrHang(machine.start(["validate"]));
  expect(ended).toMatchObject({ stdout: expect.stringContaining("matches no ability") });
});

test.each(SLOW_PATTERNS.slice(0, 4))(
  "a program that skips trust is not hung by a clone's matcher: %s",
  async (_what, matcher) => {
    const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeTool", [hook], { matcher }) });
    machine.write({
      "embed.mjs": `import { SettingsConfig, executeToolWithHooks } from ${JSON.stringify(ENGINE)};
      const config = new SettingsConfig({ workingDir: ${JSON.stringify(machine.project)}, homeDir: ${JSON.stringify(machine.home)}, trust: "skip" });
      const tool = async () => ({ llmContent: "ran", returnDisplay: "" });
      console.log((await executeToolWithHooks(config, "list_directory_of_everything", {}, tool)).llmContent);`,
    });
    const child = spawn(process.execPath, [join(machine.dir, "embed.mjs")], { env: machine.env(), cwd: machine.dir });
    expect(await endOrHang(child)).toMatchObject({ code: 0, stdout: "ran\n" });
  },
);
