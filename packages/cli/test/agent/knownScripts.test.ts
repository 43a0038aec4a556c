import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AgentProject, agentRun } from "../support/agentProject.ts";
import { type Call, callsAll, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

/** Scripts and settings as they are passed around among users of agents of this family: those that print one answer must work unchanged. */
const script = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
const settings = (event: string, definition: object) => ({
  tools: { enableHooks: true },
  hooks: { [event]: [definition] },
});
const edit = (file_path: string, old_string: string, new_string: string): Call => ({
  name: "replace",
  args: { file_path, old_string, new_string },
});

describe.runIf(hasProgram("jq") && hasProgram("bash"))("scripts that people have", () => {
  test("check_edit.sh, declared beside itself in .gemini, keeps /etc/hosts from being edited and lets the rest be", async () => {
    const hook = { type: "command", command: "./hooks/check_edit.sh", timeout: 5000 };
    const run = await agentRun({
      files: {
        ".gemini/settings.json": settings("BeforeTool", { matcher: "EditTool", sequential: false, hooks: [hook] }),
        ".gemini/hooks/check_edit.sh": script("check_edit.sh"),
        "notes.txt": "old",
      },
      answers: [
        callsAll([edit("/etc/hosts", "localhost", "google.com"), edit("notes.txt", "old", "new")]),
        says("Done."),
      ],
    });
    expect(run.modelSaw(2).slice(-2)).toEqual([
      "replace failed: Tool call blocked by hook: Editing /etc/hosts is not allowed\n\n[System] ⚠️ Hook blocked editing of protected file",
      "replace returned: Replaced 1 occurrence in notes.txt.",
    ]);
    expect([run.code, run.file("notes.txt")]).toEqual([0, "new"]);
    expect(run.json.toolCalls).toMatchObject([
      { status: "blocked", blockedBy: "./hooks/check_edit.sh" },
      { status: "success" },
    ]);
  });

  test("validate_edit.sh denies, asks, and lets pass what it should", async () => {
    const hook = { type: "command", command: ".gemini/hooks/validate_edit.sh", timeout: 30_000 };
    const run = await agentRun({
      files: {
        ".gemini/settings.json": settings("BeforeTool", {
          matcher: "EditTool|WriteFileTool",
          sequential: true,
          hooks: [hook],
        }),
        ".gemini/hooks/validate_edit.sh": script("validate_edit.sh"),
        "login.js": "const password = 1;\n",
        "app.js": "const a = 1;\nconst b = 2;\n",
      },
      answers: [
        callsAll([
          { name: "write_file", args: { file_path: "/usr/bin/env", content: "" } },
          edit("login.js", "= 1", "= 2"),
          edit("app.js", "const a = 1;", "var a = 1;"),
          edit("app.js", "const b = 2;", "const b = 3;"),
        ]),
        says("Done."),
      ],
    });
    expect(
      run
        .modelSaw(2)
        .slice(-4)
        .map((line) => line.split("\n\nThere is no terminal")[0]),
    ).toEqual([
      "write_file failed: Tool call blocked by hook: Cannot edit system files in protected directories",
      "replace failed: Tool call not approved: File may contain secrets. Proceed with edit?",
      "replace failed: Tool call not approved: Using 'var' instead of 'const/let'. Continue anyway?\n\n[System] ⚠️  Consider using const/let instead of var",
      "replace returned: Replaced 1 occurrence in app.js.\n\n[System] ✓ Edit validation passed",
    ]);
    expect([run.file("login.js"), run.file("app.js")]).toEqual([
      "const password = 1;\n",
      "const a = 1;\nconst b = 3;\n",
    ]);
  });

  test("mock_response.sh answers a cry for help in the model's place; with jq's \"true\" before its answer, only its stop counts", async () => {
    const hook = { type: "command", command: "./hooks/mock_response.sh", timeout: 30_000 };
    const project = new AgentProject({
      files: {
        ".gemini/settings.json": settings("BeforeModel", { hooks: [hook] }),
        "hooks/mock_response.sh": script("mock_response.sh"),
      },
    });
    const answers = [says("From the model.")];
    const loud = await project.run({ prompt: "please help me", answers, output: "text" });
    expect([loud.code, loud.stdout, loud.requests.length]).toEqual([2, "", 0]);
    expect(loud.stderr).toContain('not exactly one JSON object, so only objections count: "true\\n{');

    const quiet = script("mock_response.sh").replace("; then", " > /dev/null; then");
    project.machine.write({ "project/hooks/mock_response.sh": quiet });
    const mocked = await project.run({ prompt: "please help me", answers, output: "text" });
    expect([mocked.code, mocked.stdout]).toEqual([0, "I can help you with that! What do you need?\n"]);
    expect([mocked.requests.length, mocked.history.at(-1)]).toEqual([
      0,
      "model: I can help you with that! What do you need?",
    ]);
    const asked = await project.run({ prompt: "hello", answers, output: "text" });
    expect([asked.code, asked.stdout, asked.requests.length]).toEqual([0, "From the model.\n", 1]);
  });
});
