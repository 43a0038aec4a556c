import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { ENGINE, endOf, hooksOn, Machine, PROJECT_FILE, SYSTEM_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

// A guard that was on when a session began is not off, nor another, before a person says so.

const GUARD = "#!/bin/sh\nif grep -q SECRET; then echo no secrets >&2; exit 2; fi\n";
const PASS = "#!/bin/sh\nexit 0\n";
const mine = (command = "hooks/guard.sh", more = {}) => hooksOn("BeforeTool", [{ name: "mine", command, ...more }]);
const write = (file_path: string) => calls("write_file", { file_path, content: "SECRET\n" });
const shell = (command: string) => calls("run_shell_command", { command });

describe("in a run of the agent", () => {
  test.each([
    ["rewritten", `printf '#!/bin/sh\\nexit 0\\n' > "$HOME/.hookline/hooks/guard.sh"`],
    ["replaced", `printf '#!/bin/sh\\nexit 0\\n' > x; chmod +x x; mv x "$HOME/.hookline/hooks/guard.sh"`],
    ["removed", `rm "$HOME/.hookline/hooks/guard.sh"`],
    ["made a file that may not be executed", `chmod -x "$HOME/.hookline/hooks/guard.sh"`],
    ["linked elsewhere", `printf '#!/bin/sh\\n' > x; chmod +x x; ln -sf "$PWD/x" "$HOME/.hookline/hooks/guard.sh"`],
  ])("a guard of the user's that the agent's shell has %s blocks", async (_, command) => {
    const project = new AgentProject();
    project.machine.write({ [USER_FILE]: mine(), "home/.hookline/hooks/guard.sh": GUARD });
    const run = await project.run({ answers: [write("a.txt"), shell(command), write("b.txt"), says("done")] });
    expect([run.has("a.txt"), run.has("b.txt")]).toEqual([false, false]);
    expect(JSON.stringify(run.requests)).toContain("was changed during this session");
  });

  test.each([
    ["$HOME", "sh $HOME/guards/g.sh"],
    ["~", "~/guards/g.sh"],
    ["HOME in braces and quotes", `sh "\${HOME}/guards/g.sh"`],
  ])("also one that is named by %s", async (_, command) => {
    const project = new AgentProject();
    project.machine.write({ [USER_FILE]: mine(command), "home/guards/g.sh": GUARD });
    const rewrite = shell(`printf '#!/bin/sh\\nexit 0\\n' > "$HOME/guards/g.sh"`);
    const run = await project.run({ answers: [write("a.txt"), rewrite, write("b.txt"), says("done")] });
    expect([run.has("a.txt"), run.has("b.txt")]).toEqual([false, false]);
  });

  test.each([
    ["by a copy of itself", 'cp -p "$0" ../kept; mv ../kept "$0"'],
    ["and put back, with its old times", 'cp -p "$0" ../kept; echo >> "$0"; cat ../kept > "$0"; touch -r ../kept "$0"'],
    ["by a link", 'cp -p "$0" ../kept; ln -sf "$PWD/../kept" "$0"'],
    ["with its folder, and put back", "mv hooks ../kept; mv ../kept hooks"],
    ["with the folder of its project, and put back", 'mv "$PWD" "$PWD-kept"; mv "$PWD-kept" "$PWD"'],
  ])("what a guard allows does not count where its file was swapped while it ran, %s", async (_, swap) => {
    const project = new AgentProject();
    project.machine.write({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "guard", command: "hooks/guard.sh" }], { matcher: "write_file" }),
      "project/hooks/guard.sh": `#!/bin/sh\n{ ${swap}; }\nexit 0\n`,
    });
    const run = await project.run({ answers: [write("a.txt"), says("done")] });
    expect(run.has("a.txt")).toBe(false);
    expect(JSON.stringify(run.requests)).toContain("was changed while it ran");
  });
});

/** A program with a session that watches its settings. It fires, lets something happen, and fires again. */
function session(machine: Machine, change: string) {
  machine.write({
    "session.mjs": `
      import { rmSync, writeFileSync } from "node:fs";
      import { SettingsConfig } from ${JSON.stringify(pathToFileURL(ENGINE).href)};
      const config = new SettingsConfig({
        workingDir: ${JSON.stringify(machine.project)},
        homeDir: ${JSON.stringify(machine.home)},
        systemFile: ${JSON.stringify(machine.systemFile)},
        trust: "all",
      });
      const system = config.getHookSystem();
      await system.initialize();
      const fire = async () => {
        const input = { tool_name: "write_file", tool_input: { content: "SECRET" }, tool_call_id: "1" };
        return (await system.getEventHandler().fireBeforeToolEvent(input)).finalOutput?.decision ?? "allow";
      };
      const before = await fire();
      const [user, systemFile] = ${JSON.stringify([join(machine.dir, USER_FILE), machine.systemFile])};
      const set = (file, value) => writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
      ${change}
      await system.reload();
      console.log(JSON.stringify({ before, after: await fire(), notices: system.getStatus().notices }));
      await system.dispose();
    `,
  });
  const child = spawn(process.execPath, [join(machine.dir, "session.mjs")], {
    env: machine.env(),
    cwd: machine.project,
  });
  return endOf(child).then(({ stdout, stderr }) => JSON.parse(stdout || JSON.stringify(stderr)));
}

describe("in a session that reads its settings again", () => {
  const weaker = JSON.stringify(
    hooksOn("BeforeTool", [{ name: "mine", command: "hooks/guard.sh" }], { matcher: "never" }),
  );
  const observing = JSON.stringify(mine("hooks/guard.sh", { mode: "observe" }));

  test.each([
    ["is gone with its file", "rmSync(user);"],
    ["is gone from an empty object", "set(user, {});"],
    ["has a matcher that never fits", `set(user, ${weaker});`],
    ["only observes", `set(user, ${observing});`],
    ["is another command", `set(user, ${JSON.stringify(mine("true"))});`],
    ["is switched off", `set(user, { ...${JSON.stringify(mine())}, hooksConfig: { disabled: ["mine"] } });`],
    ["is off with all others", `set(user, { ...${JSON.stringify(mine())}, hooksConfig: { enabled: false } });`],
  ])("a guard of the user's that %s still blocks, and that is said", async (_, change) => {
    const machine = new Machine({ [USER_FILE]: mine(), "home/.hookline/hooks/guard.sh": GUARD });
    const { before, after, notices } = await session(machine, change);
    expect([before, after]).toEqual(["block", "block"]);
    expect(notices).toEqual([expect.stringContaining('"mine" (BeforeTool) was changed, removed or switched off')]);
  });

  test.each([
    ["a list", "set(user, []);"],
    ["null", `set(user, "null");`],
    ["half of an object", `set(user, "{");`],
  ])("a guard of the user's whose file is %s by now still runs", async (_, change) => {
    const machine = new Machine({ [USER_FILE]: mine(), "home/.hookline/hooks/guard.sh": GUARD });
    const { before, after } = await session(machine, change);
    expect([before, after]).toEqual(["block", "block"]);
  });

  test.each([
    ["of the system", SYSTEM_FILE, "etc/hooks/guard.sh", "set(systemFile, {});"],
    [
      "of an extension",
      "home/.hookline/extensions/e/hooks/hooks.json",
      "home/.hookline/extensions/e/hooks/hooks/guard.sh",
      `rmSync(${"user.replace('settings.json', 'extensions')"}, { recursive: true });`,
    ],
  ])("so does one %s", async (_, file, script, change) => {
    const machine = new Machine({ [file]: mine(), [script]: GUARD });
    const { before, after, notices } = await session(machine, change);
    expect([before, after, notices.length]).toEqual(["block", "block", 1]);
  });
});

describe.skipIf(!hasProgram("tmux"))("in a chat", () => {
  test.each([
    ["n", false],
    ["y", true],
  ])("a guard of the user's that changed is one question, with what changed; %s decides", async (key, isWritten) => {
    const project = new AgentProject();
    project.machine.write({ [USER_FILE]: mine(), "home/.hookline/hooks/guard.sh": GUARD });
    const answers = [write("a.txt"), says("first"), write("b.txt"), says("second")];
    const chat = new TestChat(project, { answers, args: "--approval-mode yolo" });
    await chat.says("go");
    await chat.shows("first");
    project.machine.write({ "home/.hookline/hooks/guard.sh": PASS });
    await chat.says("again");
    await chat.shows("was changed during this session. Continue with the new version?");
    expect(chat.text()).toContain("-if grep -q SECRET");
    chat.keys(key);
    await chat.shows("second");
    expect([project.machine.has("project/a.txt"), project.machine.has("project/b.txt")]).toEqual([false, isWritten]);
  });
});
