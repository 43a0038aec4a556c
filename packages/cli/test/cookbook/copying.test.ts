import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Machine } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { filesOf, folderOf, machineWith, PAGE, RECIPES } from "./recipes.ts";

const PATIENT = { timeout: 60_000 };

describe.each(RECIPES)("%s", (recipe) => {
  test("is copied whole, and nothing of the project is lost", () => {
    const machine = new Machine({
      "project/.gitignore": "mine/\n",
      "project/.hookline/.gitignore": "journal.db*\n",
      "project/README.md": "# Mine\n",
    });
    const [, options = ""] = /`cp (-\w+) [^`]*\/\. \.`/.exec(PAGE) ?? [];
    execFileSync("cp", [options, `${folderOf(recipe)}/.`, "."], { cwd: machine.project });
    const copied = [...filesOf(recipe)].filter(([path]) => path !== "README.md");
    for (const [path, text] of copied) expect(machine.read(`project/${path}`), path).toBe(text);
    expect(machine.read("project/README.md")).toBe("# Mine\n");
    expect(machine.read("project/.gitignore")).toBe("mine/\n");
    expect(machine.read("project/.hookline/.gitignore")).toBe("journal.db*\n");
  });

  test("starts nothing that trust does not cover", () => {
    const scripts = [...filesOf(recipe)].filter(([path]) => /\.(py|mjs|sh)$/.test(path));
    expect(scripts).toHaveLength(1);
    const text = [...filesOf(recipe).values()].join("\n");
    expect(text).not.toMatch(/"command": "python3 (?!-I )|command: python3 (?!-I )/);
  });
});

test.runIf(hasProgram("python3"))(
  "a module beside a guard in Python does not stand in for one of Python's",
  PATIENT,
  async () => {
    const evil = { "project/.hookline/hooks/json.py": "raise SystemExit(0)\n", "project/.hookline/hooks/re.py": "" };
    const dependencies = machineWith("dependency-allow-list");
    dependencies.write(evil);
    const install = ["tool_name=run_shell_command", "tool_input.command=npm i evil", "--trust-project"];
    expect((await dependencies.cli(["fire", "BeforeTool", ...install])).code).toBe(3);
    const tools = machineWith("tool-allow-list");
    tools.write(evil);
    const read = ["tool_name=read_file", "tool_input.file_path=secrets/k", "--trust-project"];
    expect((await tools.cli(["fire", "BeforeTool", ...read])).code).toBe(2);
  },
);

test.runIf(hasProgram("npm") && hasProgram("git"))(
  "test-gate tests again after a change, and not for what git ignores",
  { timeout: 180_000 },
  async () => {
    const machine = machineWith("test-gate");
    execFileSync("git", ["init", "--quiet"], { cwd: machine.project });
    machine.write({
      "project/.gitignore": "coverage/\n",
      "project/package.json": { scripts: { test: "mkdir -p coverage && echo run >> coverage/runs" } },
      "project/a b.txt": "1",
    });
    const runs = async () => {
      expect((await machine.cli(["fire", "AfterAgent", "--trust-project"])).code).toBe(0);
      return machine.read("project/coverage/runs").split("\n").length - 1;
    };
    expect([await runs(), await runs()]).toEqual([1, 1]);
    machine.write({ "project/a b.txt": "2" });
    expect(await runs()).toBe(2);
    execFileSync("rm", ["a b.txt"], { cwd: machine.project });
    expect([await runs(), await runs()]).toEqual([3, 3]);
  },
);
