import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const USER = {
  hooks: {
    BeforeTool: [
      { matcher: "EditTool|Write", hooks: [{ type: "command", name: "edits", command: "true", timeout: "5s" }] },
      { matcher: "Bash", hooks: [{ type: "command", name: "shell", command: "true # s", timeout: "5s" }] },
      {
        sequential: true,
        hooks: [
          { type: "command", name: "all", command: "true # all", timeout: "5s" },
          { type: "command", name: "watch", command: "true # w", timeout: "5s", mode: "observe" },
        ],
      },
    ],
  },
};

test("who would run, in which order, seeing which name, and who not and why", async () => {
  const machine = new Machine({
    [USER_FILE]: USER,
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "theirs", command: "true" }]),
  });
  const { code, stdout } = await machine.cli(["explain", "BeforeTool", "replace", "--json"]);
  const { event, subject, sequential, runs, misses } = JSON.parse(stdout);
  expect([code, event, subject, sequential]).toEqual([0, "BeforeTool", "replace", true]);
  expect(
    runs.map(({ order, name, sees, counts, layer }: Record<string, unknown>) => [order, name, sees, counts, layer]),
  ).toEqual([
    [1, "edits", "EditTool", true, "user"],
    [2, "all", "replace", true, "user"],
    [3, "watch", "replace", false, "user"],
  ]);
  expect(misses.map(({ name, reason }: Record<string, unknown>) => [name, reason])).toEqual([
    ["theirs", "its project is not trusted; run `hookline trust`"],
    ["shell", "matcher Bash does not match replace"],
  ]);
});

test("the text says the same at a glance", async () => {
  const { stdout } = await new Machine({ [USER_FILE]: USER }).cli(["explain", "BeforeTool", "replace"]);
  expect(stdout.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["BeforeTool replace", "also EditTool, Edit, edit_file"],
    [""],
    ["would run, in sequence"],
    ["1", "edits", "sees EditTool", "may object", "user", expect.stringMatching(/^~\/\.hookline\/settings\.json:\d+$/)],
    ["2", "all", "sees replace", "may object", "user", expect.any(String)],
    ["would observe the final value"],
    ["3", "watch", "sees replace", "observes", "user", expect.any(String)],
    [""],
    ["would not run"],
    ["–", "shell", expect.any(String), "matcher Bash does not match replace"],
    [""],
  ]);
});

test.each([
  ["duration_ms=50", [["slow"], []]],
  ["duration_ms=49", [[], ["duration_ms is below 50"]]],
])("with %s the condition on it decides", async (field, expected) => {
  const yaml =
    "id: slow\nevent_type: PostAbilityCall\nenabled: true\nblocking: true\nmatch: { min_duration_ms: 50 }\nhandler: { kind: script, command: 'true', timeout: 5s }\n";
  const machine = new Machine({ "project/.system/hooks/slow.yaml": yaml });
  await machine.run(["trust", "--yes"]);
  const { stdout } = await machine.cli(["explain", "PostAbilityCall", "edit_file", field, "--json"]);
  const { runs, misses } = JSON.parse(stdout);
  expect([
    runs.map(({ name }: { name: string }) => name),
    misses.map(({ reason }: { reason: string }) => reason),
  ]).toEqual(expected);
});

test("without a subject, the sample's is taken and said", async () => {
  const { stdout } = await new Machine().cli(["explain", "BeforeTool"]);
  expect(stdout).toContain("BeforeTool write_file  also WriteFileTool, Write; from the sample");
});

test("the variables that hooks would not get are named, without their values", async () => {
  const hooks = [
    { name: "one", command: "true" },
    { name: "two", command: "true # 2", passEnv: ["SHOP_TOKEN"] },
    { name: "three", command: "true # 3" },
    { name: "posts", type: "http", url: "http://127.0.0.1:1" },
  ];
  const machine = new Machine({
    [USER_FILE]: { ...hooksOn("BeforeTool", hooks), hooksConfig: { passEnv: ["SHARED_SECRET"] } },
  });
  const env = { SHOP_TOKEN: "t0p", MAIL_PASSWORD: "h1dden", SHARED_SECRET: "sh4red", PLAIN: "pl4in" };
  const { stdout: json } = await machine.cli(["explain", "BeforeTool", "--json"], { env });
  const { runs } = JSON.parse(json);
  expect(runs.map(({ name, withheld }: Record<string, unknown>) => [name, withheld])).toEqual([
    ["one", ["MAIL_PASSWORD", "SHOP_TOKEN"]],
    ["two", ["MAIL_PASSWORD"]],
    ["three", ["MAIL_PASSWORD", "SHOP_TOKEN"]],
    ["posts", []],
  ]);
  const { stdout } = await machine.cli(["explain", "BeforeTool"], { env });
  const lines = stdout.split("\n");
  const title = lines.indexOf("withheld from their environment; if a hook needs one, name it in passEnv");
  expect(lines.slice(title + 1).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["1, 3", "MAIL_PASSWORD, SHOP_TOKEN"],
    ["2", "MAIL_PASSWORD"],
    [""],
  ]);
  expect(json + stdout).not.toMatch(/t0p|h1dden|sh4red|pl4in/);
});
