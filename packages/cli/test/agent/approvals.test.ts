import { describe, expect, test } from "vitest";
import { agentRun, type Hook } from "../support/agentProject.ts";
import { callsAll, says } from "../support/modelAnswers.ts";

const HINT =
  "There is no terminal to ask for an approval. The user can allow it with `--approval-mode`, or answer questions in `hookline chat`.";
const HINT_WITHOUT_MODE =
  "There is no terminal to ask for an approval. The user can answer questions in `hookline chat`; no `--approval-mode` allows this call.";
const EVERYTHING = callsAll([
  { name: "read_file", args: { file_path: "a.txt" } },
  { name: "write_file", args: { file_path: "a.txt", content: "new" } },
  { name: "run_shell_command", args: { command: "touch ran" } },
]);
const BELL: Hook = { on: "Notification", name: "bell", answers: {} };

describe("with nobody to ask", () => {
  test.each([
    ["default", ["success", "denied", "denied"], ["old", false]],
    ["auto-edit", ["success", "success", "denied"], ["new", false]],
    ["yolo", ["success", "success", "success"], ["new", true]],
  ] as const)("approval mode %s decides what runs", async (mode, statuses, [content, ran]) => {
    const run = await agentRun({
      files: { "a.txt": "old" },
      hooks: [BELL],
      answers: [EVERYTHING, says("So be it.")],
      mode,
    });
    expect(run.json.toolCalls.map(({ status }) => status)).toEqual(statuses);
    expect([run.file("a.txt"), run.has("ran")]).toEqual([content, ran]);
    const denied = run.modelSaw(2).filter((line) => line.includes("failed"));
    expect(denied).toEqual(
      ["write_file", "run_shell_command"]
        .slice(mode === "default" ? 0 : mode === "auto-edit" ? 1 : 2)
        .map((name) => `${name} failed: Tool call not approved: there is no person to ask\n\n${HINT}`),
    );
    // Notification says that a person is about to be asked; here there is none.
    expect([run.code, run.seen("bell")]).toEqual([0, []]);
  });

  const signal = { kind: "ability_guard", code: "ABILITY_REQUIRES_HUMAN", payload: { reason: "Are you sure?" } };
  const told = { hook_signals: [{ source_event: "PreAbilityCall", hook_id: "asks", ...signal }] };
  test.each<[string, Hook, string]>([
    [
      "a hook",
      { on: "BeforeTool", name: "asks", matcher: "write_file", answers: { decision: "ask", reason: "Are you sure?" } },
      "",
    ],
    [
      "a guard of abilities",
      {
        on: "PreAbilityCall",
        name: "asks",
        matcher: "write_file",
        answers: { hook_signals: [signal] },
      },
      `<hook_context>${JSON.stringify(told)}</hook_context>\n\n`,
    ],
  ])("a call that %s asks about is denied with its reason, in yolo mode, too", async (_, hook, data) => {
    const run = await agentRun({ files: { "a.txt": "old" }, hooks: [hook], answers: [EVERYTHING, says("So be it.")] });
    expect(run.file("a.txt")).toBe("old");
    expect(run.modelSaw(2).filter((line) => line.includes("failed"))).toEqual([
      `write_file failed: Tool call not approved: Are you sure?\n\n${data}${HINT_WITHOUT_MODE}`,
    ]);
    expect(run.json.toolCalls.map(({ status, blockedBy }) => [status, blockedBy])).toEqual([
      ["success", undefined],
      ["denied", "asks"],
      ["success", undefined],
    ]);
    expect(run.code).toBe(0);
  });

  test("a hook's allow is no approval", async () => {
    const hooks: Hook[] = [{ on: "BeforeTool", name: "fine", answers: { decision: "allow" } }];
    const run = await agentRun({
      files: { "a.txt": "old" },
      hooks,
      answers: [EVERYTHING, says("So be it.")],
      mode: "default",
    });
    expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["success", "denied", "denied"]);
  });

  test("an ask does not override a refusal: an impossible call is refused all the same", async () => {
    const outside = callsAll([{ name: "write_file", args: { file_path: "../outside.txt", content: "x" } }]);
    const hooks: Hook[] = [{ on: "BeforeTool", name: "asks", answers: { decision: "ask", reason: "May I?" } }];
    const run = await agentRun({ hooks, answers: [outside, says("So be it.")] });
    expect(run.modelSaw(2).at(-1)).toContain(
      "write_file failed: Invalid arguments for write_file: ../outside.txt is outside",
    );
    expect(run.json.toolCalls).toMatchObject([{ status: "error" }]);
  });
});

test("a guard that was changed during the run blocks what it guards: nobody is there to look at the change", async () => {
  const run = await agentRun({
    hooks: [{ on: "BeforeTool", name: "guard", matcher: "write_file", answers: {} }],
    answers: [
      callsAll([
        { name: "run_shell_command", args: { command: "printf '#!/bin/sh\\n' > hooks/guard.sh" } },
        { name: "write_file", args: { file_path: "a.txt", content: "a" } },
      ]),
      says("So be it."),
    ],
  });
  expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["success", "blocked"]);
  expect(run.has("a.txt")).toBe(false);
  expect(run.modelSaw(2).at(-1)).toContain("write_file failed: Tool call blocked by hook: ");
});

test("no mode lets the agent change what hooks do: their settings, their folders, their scripts", async () => {
  const guard: Hook = { on: "SessionEnd", name: "guard", answers: {} };
  const paths = [
    ".hookline/settings.json",
    "./sub/../.hookline/settings.json",
    ".gemini/settings.json",
    ".system/hooks/new.yaml",
    "hooks/guard.sh",
    "link.json",
  ];
  const run = await agentRun({
    hooks: [guard],
    answers: [
      callsAll([{ name: "run_shell_command", args: { command: "ln -s .hookline/settings.json link.json" } }]),
      callsAll(paths.map((file_path) => ({ name: "write_file", args: { file_path, content: "{}" } }))),
      callsAll([
        { name: "replace", args: { file_path: "hooks/guard.sh", old_string: "#!/bin/sh", new_string: "#!/bin/true" } },
      ]),
      says("So be it."),
    ],
  });
  expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["success", ...paths.map(() => "denied"), "denied"]);
  expect(run.modelSaw(3).filter((line) => line.endsWith(HINT_WITHOUT_MODE))).toHaveLength(paths.length);
  expect(JSON.parse(run.file(".hookline/settings.json"))).toHaveProperty("hooks.SessionEnd");
  expect([run.has(".gemini/settings.json"), run.has(".system/hooks/new.yaml")]).toEqual([false, false]);
  expect(run.file("hooks/guard.sh")).toContain("#!/bin/sh");
});

test("nor may it change the program of a server that was trusted", async () => {
  const run = await agentRun({
    files: {
      ".hookline/settings.json": { mcpServers: { broken: { command: "node", args: ["servers/broken.mjs"] } } },
      "servers/broken.mjs": "process.exit(0);",
    },
    answers: [
      callsAll([{ name: "write_file", args: { file_path: "servers/broken.mjs", content: "" } }]),
      says("So be it."),
    ],
  });
  expect(run.json.toolCalls).toMatchObject([{ status: "denied" }]);
  expect(run.file("servers/broken.mjs")).toBe("process.exit(0);");
});
