import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { BINARY, ENGINE, type Ended, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, type Recorded, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

// An agent that could decide for a person would have no guard.

const HOOKLINE = `'${process.execPath}' '${BINARY}'`;
const GUARD: Hook = {
  on: "BeforeTool",
  name: "guard",
  matcher: "write_file",
  runs: 'case "$input" in *SECRET*) echo "no secrets" >&2; exit 2;; esac',
};
const shell = (command: string) => calls("run_shell_command", { command });
const write = (file_path: string) => calls("write_file", { file_path, content: "SECRET\n" });

/** A project that a person trusted earlier; the run below has no flag that trusts it again. */
class TrustedProject extends AgentProject {
  async trusted(): Promise<this> {
    this.machine.write({ [USER_FILE]: { approvals: { withoutTerminal: true } } });
    expect((await this.machine.cli(["trust", "--yes"])).code).toBe(0);
    this.machine.write({ [USER_FILE]: hooksOn("BeforeTool", [{ name: "mine", command: "true" }]) });
    return this;
  }

  async session(answers: readonly Recorded[]): Promise<Ended> {
    this.machine.write({ "answers.jsonl": answers.map((line) => `${JSON.stringify(line)}\n`).join("") });
    return this.machine.cli(["run", "-p", "go", "--model", "replay:../answers.jsonl", "--approval-mode", "yolo"]);
  }

  has(path: string): boolean {
    return this.machine.has(`project/${path}`);
  }

  async state(): Promise<unknown> {
    return JSON.parse((await this.machine.cli(["trust", "--json"])).stdout).hooks[0]?.state;
  }
}

const REWRITE = "printf '#!/bin/sh\\nexit 0\\n' > hooks/guard.sh";

test.each([
  ["plainly", (command: string) => command],
  ["without its variables", (command: string) => `env -i HOME="$HOME" PATH="$PATH" ${command}`],
  ["in the background", (command: string) => `{ env -i HOME="$HOME" ${command} & }; wait`],
  [
    "from a script in another folder",
    (command: string) =>
      `printf '%s\\n' "cd '$PWD' && env -i HOME='$HOME' PATH='$PATH' ${command}" > ../x.sh; cd .. && sh x.sh`,
  ],
])("an agent that starts them %s can neither trust a guard it rewrote nor switch one off", async (_, started) => {
  const project = await new TrustedProject({ hooks: [GUARD] }).trusted();
  const settings = [USER_FILE, PROJECT_FILE].map((file) => project.machine.read(file));
  const decisions = ["trust --yes", "disable mine", "disable guard"].map((words) => `${HOOKLINE} ${words}`);
  const shells = decisions.map((command) => shell(started(command)));
  await project.session([write("a.txt"), shell(REWRITE), ...shells, write("b.txt"), says("done")]);
  expect([project.has("a.txt"), project.has("b.txt"), await project.state()]).toEqual([false, false, "changed"]);
  expect([USER_FILE, PROJECT_FILE].map((file) => project.machine.read(file))).toEqual(settings);
});

test("a session does not adopt trust that was stored after it began", async () => {
  const project = await new TrustedProject({ hooks: [GUARD] }).trusted();
  project.machine.write({
    "forge.mjs": `
      import { SettingsConfig } from ${JSON.stringify(pathToFileURL(ENGINE).href)};
      import { TrustStore, fingerprint } from ${JSON.stringify(new URL("program.js", pathToFileURL(ENGINE)).href)};
      const homeDir = process.env.HOME;
      const { projectRoot, hooks } = await new SettingsConfig({ workingDir: process.cwd(), homeDir }).loadSettings();
      new TrustStore(homeDir).write(projectRoot, new Map(hooks.map((hook) => [fingerprint(hook), hook])));
    `,
  });
  const forge = shell(`${REWRITE}; '${process.execPath}' ../forge.mjs`);
  const { stdout } = await project.session([write("a.txt"), forge, write("b.txt"), says("done")]);
  expect([project.has("a.txt"), project.has("b.txt"), await project.state()]).toEqual([false, false, "trusted"]);
  expect(stdout).toContain("done");
});

describe("without a terminal", () => {
  const FILES = {
    "project/check.sh": "#!/bin/sh\nexit 0\n",
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "check", command: "./check.sh" }]),
    [USER_FILE]: hooksOn("BeforeTool", [{ name: "mine", command: "true" }]),
  };

  test.each([
    [["trust", "--yes"]],
    [["trust", "--revoke"]],
    [["disable", "mine"]],
    [["disable", "check"]],
    [["enable", "check"]],
    [["doctor", "--fix"]],
    [["task", "approve", "t-4k7v0c9xwa"]],
    [["task", "deny", "t-4k7v0c9xwa"]],
  ])("%j is refused", async (args) => {
    const machine = new Machine(FILES);
    const { code, stderr } = await machine.cli(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is for a person at a terminal")]);
  });

  test("a project cannot say that its own approvals need no terminal", async () => {
    const approvals = { withoutTerminal: true };
    const machine = new Machine(FILES);
    machine.write({
      [PROJECT_FILE]: { ...hooksOn("BeforeTool", [{ name: "check", command: "./check.sh" }]), approvals },
    });
    expect((await machine.cli(["trust", "--yes"])).code).toBe(1);
    machine.write({ "project/.gemini/settings.json": { approvals }, "home/.gemini/settings.json": { approvals } });
    expect((await machine.cli(["trust", "--yes"])).code).toBe(1);
  });
});

test("a guard that was switched off is named when the next session starts", async () => {
  const project = new AgentProject();
  project.machine.write({
    [USER_FILE]: {
      ...hooksOn("BeforeTool", [{ name: "mine", command: "true" }]),
      hooksConfig: { disabled: ["mine"] },
    },
  });
  const run = await project.run({ answers: [says("done")] });
  expect(run.stderr).toContain('Switched off: "mine" (BeforeTool)');
});

describe.skipIf(!hasProgram("script"))("at a terminal that the agent made itself", () => {
  const inTerminal = (command: string) => `printf 'y\\n' | script -qec "${command}" /dev/null`;

  test.each([
    ["trust", `${HOOKLINE} trust`],
    ["trust --yes", `${HOOKLINE} trust --yes`],
    ["the question of another command", `${HOOKLINE} fire BeforeTool`],
  ])("%s stores nothing", async (_, command) => {
    const project = new AgentProject({ hooks: [GUARD] });
    const run = await project.run({ answers: [shell(inTerminal(command)), says("done")] });
    expect(run.code).toBe(0);
    expect((await project.machine.cli(["trust", "--list"])).stdout).toBe("No project is trusted.\n");
  });
});
