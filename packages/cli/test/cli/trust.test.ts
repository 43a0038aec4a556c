import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";

const SCRIPT = "#!/bin/sh\nexit 0\n";
const hook = { name: "check", command: "./check.sh", env: { MODE: "hard" }, passEnv: ["DEPLOY_TOKEN"] };
const FILES = {
  "project/check.sh": SCRIPT,
  [PROJECT_FILE]: hooksOn("BeforeTool", [hook, { name: "lint", command: "npm run lint" }], { matcher: "Edit" }),
};

test("headless, everything is shown, nothing is stored, and the command to type is named", async () => {
  const machine = new Machine(FILES);
  const { code, stdout, stderr } = await machine.cli(["trust"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Run `hookline trust` in a terminal.")]);
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  expect(lines).toEqual([
    machine.project,
    expect.stringMatching(/^new check on BeforeTool \.hookline\/settings\.json:\d+$/),
    `command ${machine.project}/check.sh`,
    "runs for tool=Edit",
    "env MODE=hard",
    "passEnv it receives DEPLOY_TOKEN",
    expect.stringMatching(/^covers check\.sh sha256 [0-9a-f]{12}$/),
    "",
    expect.stringMatching(/^new lint on BeforeTool/),
    "command npm run lint",
    "runs for tool=Edit",
    "not covered npm run lint can change without notice",
    "",
    expect.stringMatching(/^fingerprint [0-9a-f]{64}$/),
    "",
  ]);
  expect((await machine.cli(["trust", "--list"])).stdout).toBe("No project is trusted.\n");
});

test("--yes trusts; a changed script is untrusted again until a person looks; --revoke forgets", async () => {
  const machine = new Machine(FILES);
  const states = async () => {
    const { code, stdout } = await machine.cli(["trust", "--json"]);
    return [code, JSON.parse(stdout).hooks.map(({ state }: { state: string }) => state)];
  };
  expect(await states()).toEqual([1, ["new", "new"]]);
  expect((await machine.run(["trust", "--yes"])).code).toBe(0);
  expect(await states()).toEqual([0, ["trusted", "trusted"]]);
  expect((await machine.cli(["fire", "BeforeTool", "tool_name=Read"])).code).toBe(0);

  machine.write({ "project/check.sh": `${SCRIPT}# changed\n` });
  expect(await states()).toEqual([1, ["changed", "trusted"]]);
  expect((await machine.cli(["fire", "BeforeTool"])).code).toBe(1);
  expect((await machine.run(["trust", "--yes"])).code).toBe(0);
  expect(await states()).toEqual([0, ["trusted", "trusted"]]);

  expect((await machine.run(["trust", "--revoke"])).stdout).toBe(`${machine.project} is no longer trusted.\n`);
  expect((await machine.run(["trust", "--revoke"])).stdout).toBe(`${machine.project} was not trusted.\n`);
  expect(await states()).toEqual([1, ["new", "new"]]);
});

test("another folder can be named, and --list shows every trusted project", async () => {
  const machine = new Machine(FILES);
  const there = await machine.run(["trust", "--yes", "../project"], { cwd: machine.home });
  expect(there.code).toBe(0);
  const { stdout } = await machine.cli(["trust", "--list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    { projectRoot: machine.project, hooks: [{ name: "check", event: "BeforeTool" }, { name: "lint" }] },
  ]);
});

test("a hook that is gone is named", async () => {
  const machine = new Machine(FILES);
  await machine.run(["trust", "--yes"]);
  machine.write({ [PROJECT_FILE]: hooksOn("BeforeTool", [hook], { matcher: "Edit" }) });
  const { code, stdout } = await machine.cli(["trust"]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("gone lint on BeforeTool: trusted earlier, no longer declared"),
  ]);
});

test("a project without hooks needs no trust", async () => {
  const { code, stdout } = await new Machine().cli(["trust"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing in this project needs trust.")]);
});

test("a person sees the script, with nothing in it acting on the terminal, and decides", async () => {
  const machine = new Machine({ ...FILES, "project/check.sh": "#!/bin/sh\n# \u001b[8mhidden\nrm -rf x\n" });
  const no = await machine.run(["trust"], { interactive: true, confirm: async () => false });
  expect([no.code, no.stdout]).toEqual([
    1,
    expect.stringContaining("  ┆ #!/bin/sh\n  ┆ # \\e[8mhidden\n  ┆ rm -rf x\n"),
  ]);
  const questions: string[] = [];
  const yes = await machine.run(["trust"], {
    interactive: true,
    confirm: async (question) => questions.push(question) > 0,
  });
  expect([yes.code, questions]).toEqual([
    0,
    [`May 2 hooks of ${machine.project} start this code, now and whenever its events fire?`],
  ]);
});

test("what is changed while a person looks is not trusted", async () => {
  const machine = new Machine(FILES);
  const { code, stderr } = await machine.run(["trust"], {
    interactive: true,
    confirm: async () => {
      machine.write({ "project/check.sh": "#!/bin/sh\nrm -rf /\n" });
      return true;
    },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('"check" changed during your review')]);
  expect((await machine.run(["trust", "--list"])).stdout).toBe("No project is trusted.\n");
});

test("a plugin and an endpoint are shown with what trust cannot cover", async () => {
  const url = "https://policy.example/check";
  const hooks = [
    { type: "plugin", name: "guard", module: "./guard.mjs" },
    { type: "http", name: "policy", url, headers: { Authorization: `Bearer \${TOKEN}` }, passEnv: ["TOKEN"] },
  ];
  const machine = new Machine({
    "project/guard.mjs": "export default () => undefined;\n",
    [PROJECT_FILE]: hooksOn("BeforeTool", hooks),
  });
  const { stdout } = await machine.cli(["trust"]);
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^new guard on BeforeTool/),
    `module ${machine.project}/guard.mjs`,
    "runs for tool=*",
    expect.stringMatching(/^covers guard\.mjs sha256 [0-9a-f]{12}$/),
    "not covered what ./guard.mjs imports can change without notice",
    "",
    expect.stringMatching(/^new policy on BeforeTool/),
    `url ${url}`,
    `headers {"authorization":"Bearer \${TOKEN}"}`,
    "runs for tool=*",
    "passEnv it receives TOKEN",
    `not covered ${url} can change without notice`,
    "",
    expect.stringMatching(/^fingerprint [0-9a-f]{64}$/),
    "",
  ]);
});
