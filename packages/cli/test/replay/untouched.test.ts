import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { PROJECT_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { ReplayMachine } from "./replayFixtures.ts";

// Every event is recorded by a program of its own.
vi.setConfig({ testTimeout: 240_000 });

const SAME = (count: number) => `✓ ${count} event${count === 1 ? "" : "s"} compared, all decided the same\n`;

/** A hook for every way in which the project's own place can get into its hands. */
function settingsFor(project: string) {
  const usual = { type: "command", timeout: "60s", onError: "block" };
  const hooks = [
    { ...usual, name: "absolute", command: join(project, "hooks/beside.sh") },
    { ...usual, name: "interpreted", command: `sh ${project}/hooks/beside.sh && touch ${project}/by-text` },
    { ...usual, name: "text", command: `${project}/hooks/beside.sh; touch ${project}/by-shell '${project}/by quotes'` },
    { ...usual, name: "variable", command: "cat > /dev/null; touch $LOG", env: { LOG: join(project, "by-variable") } },
    { ...usual, name: "working-folder", command: 'cat > /dev/null; env | grep -q "^PWD=$(pwd -P)$"' },
    { ...usual, name: "field", command: "node hooks/touches.cjs" },
    { type: "plugin", name: "relative", module: "./hooks/plugin.mjs", timeout: "60s", onError: "block" },
    { type: "plugin", name: "module", module: join(project, "hooks/plugin.mjs"), timeout: "60s", onError: "block" },
  ];
  return { hooks: { BeforeTool: [{ hooks }] } };
}

const SCRIPTS = {
  "project/hooks/beside.sh": '#!/bin/sh\ncat > /dev/null\necho run >> "$(dirname "$0")/beside.log"\n',
  "project/hooks/touches.cjs": `const { tool_input } = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const path of Object.values(tool_input)) require("fs").appendFileSync(path, "touched\\n");\n`,
  "project/hooks/plugin.mjs": `import { appendFileSync } from "node:fs";
export default () => {
  appendFileSync("by-plugin", "run\\n");
  appendFileSync(new URL("beside-plugin", import.meta.url), "run\\n");
};\n`,
};

test("hooks that are led to the project by its absolute place, a link or the working folder leave it as it is", async () => {
  const machine = new ReplayMachine(SCRIPTS);
  machine.write({ [PROJECT_FILE]: settingsFor(machine.project) });
  symlinkSync(machine.project, join(machine.dir, "link"));
  await machine.fire("write_file", {
    file_path: join(machine.dir, "link/a.txt"),
    target: join(machine.project, "b.txt"),
  });
  const tree = machine.tree();
  expect(Object.keys(tree)).toContain(join(machine.project, "by-plugin"));
  expect(await machine.replay()).toEqual({ code: 0, stdout: SAME(1), stderr: "" });
  expect(machine.tree()).toEqual(tree);

  const before = process.cwd();
  expect(await machine.run(["replay", "--trust-project"])).toMatchObject({ code: 0 });
  expect(process.cwd()).toBe(before);
  expect(machine.tree()).toEqual(tree);
});

test("--against starts its own programs where settings name this project's, once a person has trusted them", async () => {
  const machine = new ReplayMachine({});
  const command = join(machine.project, "guard.sh");
  const settings = { hooks: { BeforeTool: [{ hooks: [{ type: "command", name: "g", command, onError: "block" }] }] } };
  const guard = (reason: string) => `#!/bin/sh\ncat > /dev/null\necho ${reason} >&2\nexit 2\n`;
  machine.write({
    [PROJECT_FILE]: settings,
    "project/guard.sh": guard("old"),
    "next/.hookline/settings.json": settings,
    "next/guard.sh": guard("old"),
  });
  await machine.fire("write_file");
  const trusted = await machine.run(["trust", "../next", "--yes"]);
  expect(trusted.code).toBe(0);
  expect(await machine.cli(["replay", "--against", "../next"])).toEqual({ code: 0, stdout: SAME(1), stderr: "" });

  machine.write({ "next/guard.sh": guard("new") });
  expect(await machine.cli(["replay", "--against", "../next"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `next/guard.sh: A hook starts this instead of ${command}, and their contents differ.`,
    ),
  });
  const { stdout } = await machine.replay("--against", "../next");
  expect(stdout).toContain("    before  g: old\n    after   g: new\n");
});

test.runIf(hasProgram("git"))("hooks that start what git ignores decide in the copy as they did", async () => {
  const usual = { type: "command", timeout: "60s", onError: "block" };
  const hooks = [
    { ...usual, name: "built", command: "node dist/hooks/guard.mjs" },
    { ...usual, name: "linked", command: ".tools/bin/interpreter check.sh" },
    { ...usual, name: "listed", command: "sh listed.sh" },
  ];
  const machine = new ReplayMachine({
    [PROJECT_FILE]: { hooks: { BeforeTool: [{ hooks }] } },
    "project/.gitignore": "dist/\n.tools\n*.local\n",
    "project/dist/hooks/guard.mjs": 'import { reason } from "../reason.mjs"; console.error(reason); process.exit(2);',
    "project/dist/reason.mjs": 'export const reason = "built";',
    "project/check.sh": "cat > /dev/null",
    "project/listed.sh": "grep -qf deny.local && exit 2; exit 0",
    "project/deny.local": "nothing like this\n",
    "project/.tools/bin/readme": "",
  });
  execFileSync("git", ["init", "-q"], { cwd: machine.project });
  symlinkSync("/bin/sh", join(machine.project, ".tools/bin/interpreter"));
  await machine.fire("write_file");
  const notice = "! git ignores deny.local; the copy does not have it\n";
  expect(await machine.replay()).toEqual({ code: 0, stdout: SAME(1), stderr: notice });
});

test("a hook that fails in the copy and did not then makes an event not comparable, and fails the replay", async () => {
  const hook = { type: "command", name: "guard", timeout: "60s", onError: "block" };
  const settings = (command: string) => ({
    hooks: {
      BeforeTool: [
        {
          hooks: [
            { ...hook, command },
            { ...hook, name: "fine", command: "cat > /dev/null" },
          ],
        },
      ],
    },
  });
  const machine = new ReplayMachine({
    [PROJECT_FILE]: settings("cat > /dev/null; cat ../outside.txt"),
    "outside.txt": "",
  });
  await machine.fire("glob");
  const { code, stdout } = await machine.replay();
  expect(stdout).toMatch(
    /^! no event could be compared\n! 1 event not comparable\n {4}1 {2}hook guard fails in the copy but did not fail when recorded: exited with code 1: cat: .*\n$/,
  );
  expect(code).toBe(1);
  const { notComparable } = await machine.replayJson();
  expect(notComparable).toMatchObject([{ subject: "glob", hookFailed: true }]);

  // Another event that can be compared makes it no better.
  machine.write({ [PROJECT_FILE]: settings("grep -q read_file || exit 3") });
  writeFileSync(join(machine.project, "a.txt"), "");
  await machine.fire("read_file");
  const second = await machine.replay();
  expect(second.stdout).toContain("! 1 event compared, all decided the same\n! 1 event not comparable\n");
  expect(second.code).toBe(1);
});

test("a failure of a hook that had nothing to say hides no difference", async () => {
  const hook = { type: "command", timeout: "60s", onError: "allow" };
  const settings = (guard: string, logger: string) => ({
    hooks: {
      BeforeTool: [
        {
          hooks: [
            { ...hook, name: "guard", command: guard },
            { ...hook, name: "logger", command: logger },
          ],
        },
      ],
    },
  });
  const machine = new ReplayMachine({ [PROJECT_FILE]: settings("true", "true") });
  await machine.fire("glob");
  machine.write({ [PROJECT_FILE]: settings("true", "exit 3") });
  expect(await machine.replay()).toMatchObject({ code: 0, stdout: SAME(1) });
  machine.write({ [PROJECT_FILE]: settings("echo No >&2; exit 2", "exit 3") });
  expect((await machine.replay()).stdout).toContain(
    "    after   guard: No\n            logger failed: exited with code 3",
  );
});

test("many hooks at once are no reason to warn", async () => {
  const hooks = Array.from({ length: 6 }, (_, index) => ({
    type: "command",
    name: `h${index}`,
    command: `sleep 0.5${index}`,
    timeout: "60s",
    onError: "allow",
  }));
  const machine = new ReplayMachine({ [PROJECT_FILE]: { hooks: { BeforeTool: [{ hooks }] } } });
  for (let count = 0; count < 3; count += 1) await machine.fire("glob");
  expect(await machine.replay()).toEqual({ code: 0, stdout: SAME(3), stderr: "" });
});
