import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { endOf } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { filesOf, machineWith, RECIPES, rows } from "./recipes.ts";

/** What a recipe needs beyond Node and a POSIX shell. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  "audit-export": ["python3"],
  "branch-guard": ["git", "jq"],
  "cost-cap": ["python3"],
  "dependency-allow-list": ["python3"],
  "format-after-edit": ["jq"],
  "prompt-log": ["jq"],
  "protected-paths": ["python3"],
  "test-gate": ["npm"],
  "tool-allow-list": ["python3"],
};

const canRun = (recipe: string) => (NEEDS[recipe] ?? []).every((program) => hasProgram(program));

// Every case starts a program or two; a machine that has much else to do takes its time for that.
const PATIENT = { timeout: 180_000 };

const tested = z.looseObject({
  files: z.array(
    z.looseObject({
      problems: z.array(z.unknown()),
      tests: z.array(z.looseObject({ name: z.string(), passed: z.boolean(), mismatches: z.array(z.unknown()) })),
    }),
  ),
});

describe.each(RECIPES)("%s", (recipe) => {
  test.runIf(canRun(recipe))("does what its tests say", PATIENT, async () => {
    const machine = machineWith(recipe);
    const { code, stdout, stderr } = await machine.cli(["test", "--trust-project", "--json"]);
    const { files } = tested.parse(JSON.parse(stdout || JSON.stringify({ stderr })));
    const failed = files.flatMap(({ tests }) => tests.filter(({ passed }) => !passed));
    expect(failed).toEqual([]);
    expect(files.flatMap(({ problems }) => problems)).toEqual([]);
    expect({ code, files: files.length }).toEqual({ code: 0, files: 1 });
    // One case in which it acts, one in which it does not, and a nasty one.
    expect(files.flatMap(({ tests }) => tests).length).toBeGreaterThanOrEqual(3);
  });

  test("is declared without a problem", PATIENT, async () => {
    const { code, stdout } = await machineWith(recipe).cli(["validate", "--strict"]);
    expect(stdout).toMatch(/^✓ \d hooks? in 1 file, no problems\n/);
    expect(code).toBe(0);
  });

  // That its commands print what it shows is tested with the other pages' (snippets.test.ts of the engine).
  test("has a README with a row on the page, which names its files, shows it fire and says what it does not catch", () => {
    const text = filesOf(recipe).get("README.md") ?? "";
    expect(rows()).toContainEqual({ title: /^# (.+)\n/.exec(text)?.[1], folder: recipe });
    const named = [...text.matchAll(/^- \[`(.+)`\]\((.+)\): /gm)].flatMap(([, name, to]) => (name === to ? [to] : []));
    expect(named.sort()).toEqual([...filesOf(recipe).keys()].filter((path) => path !== "README.md").sort());
    expect(text).toMatch(/^\$ hookline fire /m);
    expect(text).toContain("\n## What it does not catch\n\n- ");
  });
});

test("the page has a row for each of the twelve recipes", () => {
  const folders = rows().map(({ folder }) => folder);
  expect(folders.sort()).toEqual(RECIPES);
  expect(RECIPES).toHaveLength(12);
});

// A test file cannot make links.
describe("a link that leads to what is guarded", () => {
  test.runIf(canRun("protected-paths"))("is followed by protected-paths", PATIENT, async () => {
    const machine = machineWith("protected-paths");
    machine.write({ "project/config/production.json": "{}", "project/src/a.ts": "" });
    symlinkSync("../config/production.json", join(machine.project, "src/settings.json"));
    symlinkSync("../secrets", join(machine.project, "src/data"));
    expect(await fire(machine, "write_file", { file_path: "src/settings.json" })).toBe(2);
    // There is no such folder yet: the write would make it.
    expect(await fire(machine, "write_file", { file_path: "src/data/new.txt" })).toBe(2);
    expect(await fire(machine, "run_shell_command", { command: "echo {} > src/settings.json" })).toBe(2);
    expect(await fire(machine, "write_file", { file_path: "src/a.ts" })).toBe(0);
  });

  test.runIf(canRun("tool-allow-list"))("is followed by tool-allow-list", PATIENT, async () => {
    const machine = machineWith("tool-allow-list");
    machine.write({ "project/vendor/a.js": "", "project/src/a.ts": "" });
    symlinkSync("../vendor", join(machine.project, "src/lib"));
    expect(await fire(machine, "replace", { file_path: "src/lib/a.js" })).toBe(2);
    expect(await fire(machine, "read_file", { file_path: "src/lib/a.js" })).toBe(0);
  });

  test.runIf(canRun("branch-guard"))("is followed by branch-guard", PATIENT, async () => {
    const machine = machineWith("branch-guard");
    for (const [folder, branch] of Object.entries({ project: "work", shop: "main" })) {
      machine.write({
        [`${folder}/.git/HEAD`]: `ref: refs/heads/${branch}\n`,
        [`${folder}/.git/objects/.keep`]: "",
        [`${folder}/.git/refs/.keep`]: "",
      });
    }
    symlinkSync("../shop", join(machine.project, "shop"));
    expect(await fire(machine, "write_file", { file_path: "shop/a.ts" })).toBe(2);
    expect(await fire(machine, "write_file", { file_path: "a.ts" })).toBe(0);
  });

  test.runIf(canRun("audit-export"))("does not lead the lines of audit-export elsewhere", PATIENT, async () => {
    const machine = machineWith("audit-export");
    machine.write({ [`${machine.state}/hooks/here`]: "", "victim.txt": "mine\n" });
    symlinkSync(join(machine.dir, "victim.txt"), join(machine.dir, machine.state, "hooks/audit.jsonl"));
    expect((await machine.cli(["fire", "AfterTool", "--trust-project"])).code).toBe(0);
    expect(machine.read("victim.txt")).toBe("mine\n");
  });
});

test.runIf(canRun("audit-export"))(
  "audit-export keeps every line whole when many calls end at once",
  PATIENT,
  async () => {
    const machine = machineWith("audit-export");
    const calls = Array.from({ length: 24 }, (_, nth) => `call-${nth}`);
    const endings = await Promise.all(
      calls.map((tool_call_id) => {
        const env = machine.env({ HOOKLINE_HOOK_STATE: machine.dir });
        const child = spawn("python3", [".system/hooks/audit_export.py"], { cwd: machine.project, env });
        const input = { tool_name: "write_file", tool_input: { file_path: "ä".repeat(900) }, tool_response: {} };
        child.stdin.on("error", () => {});
        child.stdin.end(JSON.stringify({ session_id: "s", timestamp: "now", tool_call_id, ...input }));
        return endOf(child);
      }),
    );
    expect(endings.filter(({ code }) => code !== 0)).toEqual([]);
    const lines = machine.read("audit.jsonl").trimEnd().split("\n");
    const logged = lines.map((line) => z.looseObject({ call: z.string() }).parse(JSON.parse(line)).call);
    expect(logged.sort()).toEqual(calls.sort());
  },
);

async function fire(machine: ReturnType<typeof machineWith>, tool: string, input: Readonly<Record<string, string>>) {
  // Also if a tool leaves one of them out: otherwise the sample's file would be there.
  const fields = Object.entries({ file_path: "", ...input }).map(([key, value]) => `tool_input.${key}=${value}`);
  const { code } = await machine.cli(["fire", "BeforeTool", `tool_name=${tool}`, ...fields, "--trust-project"]);
  return code;
}
