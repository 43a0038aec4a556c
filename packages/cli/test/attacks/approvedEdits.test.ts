import { describe, expect, test } from "vitest";
import { AgentProject, agentRun } from "../support/agentProject.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const CHANGED = /a\.txt was changed by another program since/;
const WRITE = { file_path: "a.txt", content: "line one\nadded by the model\n" };
const REPLACE = { file_path: "a.txt", old_string: "line one", new_string: "line 1" };

describe.skipIf(!hasProgram("tmux"))("what another program writes while a person reads the diff", () => {
  test.each([
    ["write_file", WRITE, "the work of somebody else\n"],
    ["replace", REPLACE, "if admin: line one\n"],
    ["write_file", { ...WRITE, file_path: "./sub/../a.txt" }, "line one\n\n"],
  ])("is not lost to an approved %s", { timeout: 180_000 }, async (name, args, theirs) => {
    const project = new AgentProject({ files: { "a.txt": "line one\n", "sub/b.txt": "" } });
    const chat = new TestChat(project, { answers: [calls(name, args), says("I see.")] });
    await chat.says("edit it");
    await chat.shows("Yes, once");
    project.machine.write({ "project/a.txt": theirs });
    if (!chat.text().includes("● Yes, once")) chat.keys("Up");
    await chat.shows("● Yes, once");
    chat.keys("Enter");
    await chat.shows("I see.");
    expect(project.file("a.txt")).toBe(theirs);
    expect(chat.modelSaw(2).at(-1)).toMatch(CHANGED);
  });
});

describe("what another program writes after an edit was checked", () => {
  test.each<[string, string, object, string]>([
    ["is not overwritten", "write_file", WRITE, "printf theirs > a.txt"],
    ["is not overwritten, even if only the file was replaced", "write_file", WRITE, "cp a.txt b.txt; mv b.txt a.txt"],
    ["is not merged", "replace", REPLACE, "printf 'if admin: line one' > a.txt"],
    ["is not overwritten where there was no file", "write_file", { ...WRITE, file_path: "new/a.txt" }, ""],
  ])("%s", async (_, name, args, changes) => {
    const runs = changes || "mkdir -p new; printf theirs > new/a.txt";
    const run = await agentRun({
      files: { "a.txt": "line one\n" },
      hooks: [{ on: "PreAbilityCall", name: "other", runs }],
      answers: [calls(name, args), says("I see.")],
    });
    const text = changes === "" ? run.file("new/a.txt") : run.file("a.txt");
    expect(text).not.toMatch(/added by the model|line 1/);
    expect(run.modelSaw(2).at(-1)).toMatch(CHANGED);
  });
});
