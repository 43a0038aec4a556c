import { expect, test } from "vitest";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { encodeAnswer } from "../../src/dialects/encodeAnswer.ts";
import { action, registerAll, testSystem } from "../support/system.ts";
import { calling } from "./hostSamples.ts";

const WRITES = "^(write_file|replace)$";

/** What each host is told about a call, when a guard protects one file of the project. */
async function verdictOn(host: DialectName, tool_name: string, tool_input: object) {
  const { system, handler } = await testSystem();
  const seen: unknown[] = [];
  const guard = action("protect", (input) => {
    seen.push(input.tool_name);
    const { file_path } = Object(input.tool_input);
    return String(file_path).endsWith("secret") ? { decision: "deny", reason: "protected" } : undefined;
  });
  registerAll(system, "BeforeTool", [guard], { matcher: WRITES });
  const call = calling(host, host === "gemini" ? "BeforeTool" : "PreToolUse", { tool_name, tool_input });
  const answers = [];
  for (const { fields } of call.parts) {
    const { errors, finalOutput } = await handler.fire(call.ours, { ...fields, host: call.host });
    expect(errors).toEqual([]);
    answers.push(finalOutput);
  }
  const { stdout } = encodeAnswer(DIALECTS[host], call, answers);
  return { seen, said: stdout };
}

const patch = (file: string) =>
  `*** Begin Patch\n*** Add File: open\n+x\n*** Update File: a\n*** Move to: ${file}\n*** End Patch`;

test.each([
  ["claude", "Write", (file_path: string) => ({ file_path, content: "x" })],
  ["claude", "Edit", (file_path: string) => ({ file_path, old_string: "x", new_string: "y" })],
  ["claude", "MultiEdit", (file_path: string) => ({ file_path, edits: [{ old_string: "x", new_string: "y" }] })],
  ["claude", "NotebookEdit", (notebook_path: string) => ({ notebook_path, new_source: "x" })],
  ["codex", "apply_patch", (file: string) => ({ command: patch(file) })],
  ["codex", "Bash", (file: string) => ({ command: `apply_patch <<'EOF'\n${patch(file)}\nEOF` })],
  ["gemini", "write_file", (file_path: string) => ({ file_path, content: "x" })],
  ["gemini", "replace", (file_path: string) => ({ file_path, old_string: "x", new_string: "y" })],
] as const)("one guard covers every way in which a host writes: %s %s", async (host, tool, inputFor) => {
  const allowed = await verdictOn(host, tool, inputFor("open"));
  expect(allowed.seen.length).toBeGreaterThan(0);
  expect(allowed.said).toBe("");
  const { said } = await verdictOn(host, tool, inputFor("secret"));
  expect(said).toMatch(/"(permissionDecision|decision)":"deny"/);
  expect(said).toContain("protected");
});
