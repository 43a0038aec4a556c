import { expect, test } from "vitest";
import { z } from "zod";
import { type AgentRun, agentRun, type Hook } from "../support/agentProject.ts";
import { callsAll, says } from "../support/modelAnswers.ts";

const FILES = { "a.txt": "A" };
const READ = { name: "read_file", args: { file_path: "a.txt" } };
const WRITE = { name: "write_file", args: { file_path: "a.txt", content: "B" } };
const ANSWERS = [callsAll([READ, WRITE]), says("Done.")];
const choose = (answers: object): Hook => ({ on: "BeforeToolSelection", name: "chooser", answers });
const config = (toolConfig: object) => ({ hookSpecificOutput: { toolConfig } });

const sent = z.looseObject({
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) })),
  toolConfig: z.looseObject({ functionCallingConfig: z.looseObject({}) }).optional(),
});

function toolsSent(run: AgentRun) {
  const { tools, toolConfig } = sent.parse(run.config(1));
  const names = tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name));
  return { names, ...toolConfig?.functionCallingConfig };
}

const ALL = ["read_file", "write_file", "replace", "run_shell_command", "list_directory", "glob", "grep_search"];

test.each<[string, object, object, string[]]>([
  ["a block", { decision: "deny", reason: "Only talk" }, { names: [], mode: "NONE" }, ["blocked", "blocked"]],
  ["mode NONE", config({ mode: "NONE" }), { names: ALL, mode: "NONE" }, ["blocked", "blocked"]],
  [
    "mode ANY with no names",
    config({ mode: "ANY", allowedFunctionNames: [] }),
    { names: ALL, mode: "NONE" },
    ["blocked", "blocked"],
  ],
  [
    "mode ANY with names",
    config({ mode: "ANY", allowedFunctionNames: ["ReadFileTool"] }),
    { names: ALL, mode: "ANY", allowedFunctionNames: ["read_file"] },
    ["success", "blocked"],
  ],
  [
    "mode AUTO with names",
    config({ mode: "AUTO", allowedFunctionNames: ["write_file", "glob"] }),
    { names: ["write_file", "glob"], mode: "AUTO" },
    ["blocked", "success"],
  ],
  ["nothing", {}, { names: ALL }, ["success", "success"]],
])(
  "%s is sent to the model, and enforced against one that does not keep to it",
  async (_, answer, request, statuses) => {
    const run = await agentRun({ files: FILES, hooks: [choose(answer)], answers: ANSWERS });
    expect(toolsSent(run)).toEqual(request);
    expect(run.json.toolCalls.map(({ status }) => status)).toEqual(statuses);
    expect(run.file("a.txt")).toBe(statuses[1] === "success" ? "B" : "A");
    const refused = run.modelSaw(2).filter((line) => line.includes("may not be called now"));
    expect(refused).toHaveLength(statuses.filter((status) => status === "blocked").length);
    expect([run.code, run.json.response]).toEqual([0, "Done."]);
  },
);

test("a refused call says what may be called; no hook of the tool is asked", async () => {
  const run = await agentRun({
    files: FILES,
    hooks: [
      choose(config({ mode: "ANY", allowedFunctionNames: ["glob", "read_file"] })),
      { on: "BeforeTool", name: "before", answers: {} },
    ],
    answers: [callsAll([WRITE]), says("Done.")],
  });
  expect(run.modelSaw(2).at(-1)).toBe(
    'write_file failed: Tool call blocked by hook: "write_file" may not be called now. Allowed tools: read_file, glob.',
  );
  expect(run.seen("before")).toEqual([]);
});

test("a stop ends the turn before the model is asked", async () => {
  const run = await agentRun({ hooks: [choose({ continue: false, stopReason: "Enough" })], answers: ANSWERS });
  expect([run.code, run.requests.length]).toEqual([2, 0]);
  expect(run.json.stopped).toEqual({ event: "BeforeToolSelection", hook: "chooser", reason: "Enough" });
});

test("a choice holds for its request only, and is made on the request as BeforeModel left it", async () => {
  const first = JSON.stringify(config({ mode: "NONE" }));
  const once: Hook = {
    on: "BeforeToolSelection",
    name: "chooser",
    runs: `[ "$(wc -l < "$HOOKLINE_PROJECT_DIR/../seen/chooser.jsonl")" -gt 1 ] || echo '${first}'`,
  };
  const warm: Hook = {
    on: "BeforeModel",
    name: "warm",
    answers: { hookSpecificOutput: { llm_request: { config: { temperature: 1.5 } } } },
  };
  const run = await agentRun({
    files: FILES,
    hooks: [once, warm],
    answers: [callsAll([READ]), callsAll([READ]), says("Done.")],
  });
  expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["blocked", "success"]);
  expect(run.seen("chooser")[0]).toMatchObject({ llm_request: { config: { temperature: 1.5 } } });
});
