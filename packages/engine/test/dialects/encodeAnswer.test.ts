import { describe, expect, test } from "vitest";
import type { HostEvent, OurAnswer } from "../../src/dialects/dialect.ts";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { type AnswerOptions, encodeAnswer, refusal } from "../../src/dialects/encodeAnswer.ts";
import { createHookOutput } from "../../src/hooks/answer/hookOutput.ts";
import { calling } from "./hostSamples.ts";

const DENY: OurAnswer = { decision: "block", reason: "not today" };
const STOP: OurAnswer = { continue: false, stopReason: "enough" };
const ASK: OurAnswer = { decision: "ask", reason: "sure?" };

/** What the host reads, and what became of the rest. */
function told(call: HostEvent, answers: readonly (OurAnswer | undefined)[], options?: AnswerOptions) {
  const dialect = Object.values(DIALECTS).find(({ name }) => name === call.host.name);
  if (!dialect) throw new Error(call.host.name);
  const { stdout, stderr, exitCode, degraded, ignored } = encodeAnswer(dialect, call, answers, options);
  expect([stderr, exitCode]).toEqual(["", 0]);
  return {
    said: stdout === "" ? undefined : JSON.parse(stdout),
    degraded: degraded.map(({ from, to }) => [from, to]),
    ignored,
  };
}

const cleanly = (said: unknown) => ({ said, degraded: [], ignored: [] });
const rewrite = (tool_input: unknown): OurAnswer => ({ hookSpecificOutput: { tool_input: tool_input as object } });
const specific = (hookSpecificOutput: object): OurAnswer => ({ hookSpecificOutput: { ...hookSpecificOutput } });

describe.each([
  ["claude", "PreToolUse"],
  ["codex", "PreToolUse"],
  ["gemini", "BeforeTool"],
  ["claude", "SessionEnd"],
  ["codex", "Stop"],
  ["gemini", "BeforeToolSelection"],
] as const)("%s %s", (host, event) => {
  test.each([undefined, {}, { decision: "allow" }, { decision: "approve", reason: "fine" }, { continue: true }])(
    "says nothing at all when nobody objects: %j",
    (answer) => {
      expect(told(calling(host, event), [answer])).toEqual(cleanly(undefined));
    },
  );
});

describe("before a tool of Claude Code", () => {
  const call = calling("claude", "PreToolUse");
  const denied = (permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
  });

  test("a block is a denial", () => {
    expect(told(call, [DENY])).toEqual(cleanly(denied("not today")));
    expect(told(call, [{ decision: "deny" }])).toEqual(cleanly(denied("Blocked by a hook.")));
    expect(told(call, [{ decision: "block", reason: " \n" }])).toEqual(cleanly(denied("Blocked by a hook.")));
  });

  test("a stop also denies the call, which would run otherwise", () => {
    expect(told(call, [STOP])).toEqual(cleanly({ continue: false, stopReason: "enough", ...denied("enough") }));
  });

  test("an ask is one only where a person can answer", () => {
    const asked = { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "sure?" };
    expect(told(call, [ASK], { ask: "host" })).toEqual(cleanly({ hookSpecificOutput: asked }));
    expect(told(call, [ASK])).toEqual({
      said: denied("sure?\nThis needs the approval of a person, but no person can be asked here."),
      degraded: [["ask", "block"]],
      ignored: [],
    });
  });

  test("a rewrite is under the host's names, and allows nothing", () => {
    const edit = calling("claude", "PreToolUse", {
      tool_name: "Edit",
      tool_input: { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
    });
    const changed = { file_path: "/a", old_string: "x", new_string: "z", allow_multiple: true };
    expect(told(edit, [rewrite(changed)])).toEqual(
      cleanly({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          updatedInput: { file_path: "/a", old_string: "x", new_string: "z", replace_all: true },
        },
      }),
    );
  });

  test("a rewrite to what was there already is none", () => {
    expect(told(call, [rewrite({ command: "touch PWNED", description: "x" })])).toEqual(cleanly(undefined));
  });

  test("a rewrite beside an objection is left out", () => {
    expect(told(call, [{ ...DENY, ...rewrite({ command: "ls" }) }])).toEqual({
      said: denied("not today"),
      degraded: [],
      ignored: ["rewrite: a hook objects to the call"],
    });
  });

  test("a rewrite beside an ask is a denial: the person would approve the call as it was", () => {
    expect(told(call, [{ ...ASK, ...rewrite({ command: "ls" }) }], { ask: "host" })).toEqual({
      said: denied('sure?\nCall it again with: {"command":"ls"}'),
      degraded: [["rewrite", "block"]],
      ignored: [],
    });
  });

  test("context goes to the model, a message to the person", () => {
    expect(told(call, [{ systemMessage: "hello", ...specific({ additionalContext: "it rains" }) }])).toEqual({
      said: {
        systemMessage: "hello",
        hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "it rains" },
      },
      degraded: [["message", "person"]],
      ignored: [],
    });
  });

  test("the merged output of our hooks is an answer", () => {
    const merged = createHookOutput("BeforeTool", { decision: "block", reason: "not today" });
    expect(told(call, [merged])).toEqual(cleanly(denied("not today")));
  });
});

describe("before a tool of Codex", () => {
  const call = calling("codex", "PreToolUse");
  const denied = (permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
  });

  test("only a denial with a reason keeps the tool from running", () => {
    expect(told(call, [DENY])).toEqual(cleanly(denied("not today")));
    expect(told(call, [{ decision: "block" }])).toEqual(cleanly(denied("Blocked by a hook.")));
    expect(told(call, [STOP])).toEqual({ said: denied("enough"), degraded: [["stop", "block"]], ignored: [] });
    expect(told(call, [{ decision: "ask" }]).said).toEqual(
      denied("This needs the approval of a person, but no person can be asked here."),
    );
    const asked = {
      said: denied("sure?\nThis needs the approval of a person, but no person can be asked here."),
      degraded: [["ask", "block"]],
      ignored: [],
    };
    expect(told(call, [ASK], { ask: "host" })).toEqual(asked);
    expect(told(call, [{ ...STOP, ...DENY }])).toMatchObject({ said: denied("enough\nnot today") });
  });

  test("a rewrite needs an allow", () => {
    expect(told(call, [rewrite({ command: "ls" })])).toEqual(
      cleanly({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "ls" },
        },
      }),
    );
  });

  test("an answer is text that every parser of JSON accepts", () => {
    expect(told(call, [{ decision: "block", reason: "\ud800" }])).toEqual(cleanly(denied("\ufffd")));
    let deep: object = {};
    for (let level = 0; level < 150; level += 1) deep = { in: deep };
    expect(told(call, [rewrite({ command: "ls", deep })])).toMatchObject({ degraded: [["rewrite", "block"]] });
  });

  test("a patch of one file can be rewritten", () => {
    const command = "*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch";
    const add = calling("codex", "PreToolUse", { tool_name: "apply_patch", tool_input: { command } });
    expect(told(add, [rewrite({ file_path: "a", content: "hidden\n" })]).said.hookSpecificOutput.updatedInput).toEqual({
      command: "*** Begin Patch\n*** Add File: a\n+hidden\n*** End Patch",
    });
    expect(told(add, [rewrite({ file_path: "a\nb", content: "x" })])).toEqual({
      said: denied('Call it again with: {"file_path":"a\\nb","content":"x"}'),
      degraded: [["rewrite", "block"]],
      ignored: [],
    });
  });

  const PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch";
  const parts = calling("codex", "PreToolUse", { tool_name: "apply_patch", tool_input: { command: PATCH } });

  test("any part that is blocked blocks the call, and the reason says which", () => {
    expect(told(parts, [undefined, {}])).toEqual(cleanly(undefined));
    expect(told(parts, [undefined, DENY])).toEqual(cleanly(denied("b: not today")));
    expect(told(parts, [DENY, { decision: "block" }])).toEqual(cleanly(denied("a: not today\nb: blocked by a hook")));
    expect(told(parts, [ASK, undefined])).toMatchObject({ degraded: [["ask", "block"]] });
  });

  test("no part is rewritten alone: the call is denied, with the rewrite as advice", () => {
    expect(told(parts, [rewrite({ file_path: "a", content: "y\n" }), undefined])).toEqual({
      said: denied('a: a hook wants to change this part. Call it again with: {"file_path":"a","content":"y\\n"}'),
      degraded: [["rewrite", "block"]],
      ignored: [],
    });
    expect(told(parts, [{ decision: "allow", reason: "fine" }, DENY])).toEqual(cleanly(denied("b: not today")));
  });

  test("every part needs an answer", () => {
    expect(() => told(parts, [undefined])).toThrow("2 parts of a call need as many answers, got 1");
  });

  test("a call that cannot be read is never rewritten", () => {
    const odd = calling("codex", "PreToolUse", { tool_name: "apply_patch", tool_input: { command: "?" } });
    expect(told(odd, [rewrite({ command: PATCH })])).toMatchObject({ degraded: [["rewrite", "block"]] });
    expect(told(odd, [DENY])).toEqual(cleanly(denied("not today")));
  });
});

test("before a tool of Gemini CLI", () => {
  const call = calling("gemini", "BeforeTool");
  expect(told(call, [DENY])).toEqual(cleanly({ decision: "deny", reason: "not today" }));
  expect(told(call, [STOP])).toEqual(cleanly({ continue: false, stopReason: "enough" }));
  expect(told(call, [ASK], { ask: "host" })).toEqual({
    said: { decision: "deny", reason: "sure?\nThis needs the approval of a person, but no person can be asked here." },
    degraded: [["ask", "block"]],
    ignored: [],
  });
  expect(told(call, [rewrite({ command: "ls" })])).toEqual(
    cleanly({ hookSpecificOutput: { tool_input: { command: "ls" } } }),
  );
  expect(told(call, [specific({ additionalContext: "it rains" })])).toEqual({
    said: undefined,
    degraded: [],
    ignored: ["context: the host takes none here"],
  });
});

describe("after a tool", () => {
  const RESULT = specific({ tool_response: { llmContent: "[redacted]", returnDisplay: "[redacted]" } });
  const shell = { stdout: "[redacted]", stderr: "", interrupted: false, isImage: false, noOutputExpected: false };

  test("Claude Code takes another result, in the shape of its own", () => {
    expect(told(calling("claude", "PostToolUse"), [RESULT])).toEqual(
      cleanly({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: shell } }),
    );
    expect(told(calling("claude", "PostToolUse", { tool_response: "x" }), [RESULT])).toEqual(
      cleanly({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "[redacted]" } }),
    );
  });

  test("a block of Claude Code's result puts the reason in its place", () => {
    expect(told(calling("claude", "PostToolUse"), [DENY])).toEqual(
      cleanly({
        decision: "block",
        reason: "not today",
        hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { ...shell, stdout: "not today" } },
      }),
    );
  });

  test("an error that Claude Code neither replaces nor stops at has the reason beside it", () => {
    const call = calling("claude", "PostToolUseFailure");
    const block = (reason: string) => ({ decision: "block", reason });
    expect(told(call, [DENY])).toEqual({ said: block("not today"), degraded: [["block", "context"]], ignored: [] });
    expect(told(call, [RESULT])).toEqual({
      said: block("[redacted]"),
      degraded: [["replace", "context"]],
      ignored: [],
    });
    expect(told(call, [{ continue: false, stopReason: "over" }])).toEqual({
      said: block("over"),
      degraded: [["stop", "context"]],
      ignored: [],
    });
  });

  test.each([
    ["codex", "PostToolUse", "block"],
    ["gemini", "AfterTool", "deny"],
  ] as const)("a replaced result is a block of the old one: %s", (host, event, decision) => {
    expect(told(calling(host, event), [RESULT])).toEqual({
      said: { decision, reason: "[redacted]" },
      degraded: [["replace", "block"]],
      ignored: [],
    });
    expect(told(calling(host, event), [{ ...DENY, ...RESULT }])).toEqual({
      said: { decision, reason: "not today" },
      degraded: [],
      ignored: ["replace: a hook objects to the result"],
    });
  });

  test("parts that replace the one result in the same way do so once; otherwise it is blocked", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d" },
    ];
    const call = calling("claude", "PostToolUse", { tool_name: "MultiEdit", tool_input: { file_path: "/a", edits } });
    expect(told(call, [RESULT, RESULT])).toEqual(
      cleanly({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: shell } }),
    );
    const other = specific({ tool_response: { llmContent: "other" } });
    expect(told(call, [RESULT, other])).toMatchObject({
      said: {
        decision: "block",
        reason: "A hook replaced the result with: [redacted]\nA hook replaced the result with: other",
      },
      degraded: [["replace", "block"]],
    });
  });

  test("a further call is for the host that knows it", () => {
    const further = specific({ tailToolCallRequest: { name: "read_file", args: {} } });
    expect(told(calling("gemini", "AfterTool"), [further])).toEqual(cleanly(further));
    expect(told(calling("codex", "PostToolUse"), [further])).toEqual({
      said: undefined,
      degraded: [],
      ignored: ["tailToolCallRequest: the host has no such field"],
    });
  });
});

describe("a prompt", () => {
  test.each([
    ["claude", "UserPromptSubmit", { decision: "block" }],
    ["codex", "UserPromptSubmit", { decision: "block" }],
    ["gemini", "BeforeAgent", { decision: "deny" }],
  ] as const)("is blocked, and with a rewrite as advice: %s", (host, event, verdict) => {
    const call = calling(host, event);
    expect(told(call, [DENY])).toEqual(cleanly({ ...verdict, reason: "not today" }));
    expect(told(call, [STOP])).toEqual(cleanly({ continue: false, stopReason: "enough" }));
    expect(told(call, [specific({ prompt: "better" })])).toEqual({
      said: { ...verdict, reason: 'Ask again with: "better"' },
      degraded: [["rewrite", "block"]],
      ignored: [],
    });
  });
});

describe("the model of Gemini CLI", () => {
  const request = { model: "other", messages: [] };
  const response = { candidates: [{ content: { role: "model", parts: ["hi"] } }] };

  test("a request is rewritten; a response in its place counts only beside a block", () => {
    const call = calling("gemini", "BeforeModel");
    expect(told(call, [specific({ llm_request: request })])).toEqual(cleanly(specific({ llm_request: request })));
    const answered = { decision: "deny", hookSpecificOutput: { llm_response: response } };
    expect(told(call, [specific({ llm_response: response })])).toEqual({
      said: { ...answered, reason: JSON.stringify(response) },
      degraded: [["replace", "block"]],
      ignored: [],
    });
    expect(told(call, [{ ...DENY, ...specific({ llm_response: response }) }])).toEqual(
      cleanly({ ...answered, reason: "not today" }),
    );
  });

  test("a response is replaced, or ends the turn: after a block it would still be shown", () => {
    const call = calling("gemini", "AfterModel");
    expect(told(call, [specific({ llm_response: response })])).toEqual(cleanly(specific({ llm_response: response })));
    expect(told(call, [DENY])).toEqual({
      said: { continue: false, stopReason: "not today" },
      degraded: [["block", "stop"]],
      ignored: [],
    });
  });

  test("a request without tools is what a block of the tool choice means", () => {
    const call = calling("gemini", "BeforeToolSelection");
    const none = { hookEventName: "BeforeToolSelection", toolConfig: { mode: "NONE", allowedFunctionNames: [] } };
    expect(told(call, [DENY])).toEqual(cleanly({ decision: "deny", reason: "not today", hookSpecificOutput: none }));
    expect(told(call, [STOP])).toMatchObject({ said: { hookSpecificOutput: none }, degraded: [["stop", "block"]] });
    const choice = specific({ toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } });
    expect(told(call, [choice])).toEqual(cleanly(choice));
  });
});

test("the end of a turn goes back to the model, or is one", () => {
  for (const host of ["claude", "codex"] as const) {
    expect(told(calling(host, "Stop"), [DENY])).toEqual(cleanly({ decision: "block", reason: "not today" }));
    expect(told(calling(host, "Stop"), [STOP])).toEqual(cleanly({ continue: false, stopReason: "enough" }));
  }
  const cleared = { ...DENY, ...specific({ clearContext: true }) };
  expect(told(calling("gemini", "AfterAgent"), [cleared])).toEqual(
    cleanly({ decision: "deny", reason: "not today", hookSpecificOutput: { clearContext: true } }),
  );
});

test("a session starts with context", () => {
  const context = specific({ additionalContext: "it rains" });
  for (const host of ["claude", "codex"] as const) {
    expect(told(calling(host, "SessionStart"), [context])).toEqual(
      cleanly({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "it rains" } }),
    );
  }
  expect(told(calling("gemini", "SessionStart"), [context])).toEqual(cleanly(context));
  expect(told(calling("claude", "SessionStart"), [DENY])).toEqual({
    said: undefined,
    degraded: [],
    ignored: ["block: the host cannot do it here"],
  });
});

test("a permission that a person is about to give can be denied in that person's place, never given", () => {
  const call = calling("claude", "PermissionRequest");
  const decision = { behavior: "deny", message: "not today" };
  expect(told(call, [DENY])).toEqual(cleanly({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }));
  expect(told(call, [{ decision: "allow" }])).toEqual(cleanly(undefined));
});

describe("the host's own no", () => {
  const reason = "Blocked: hookline could not check this.";
  const denial = { permissionDecision: "deny", permissionDecisionReason: reason };
  const block = { decision: "block", reason };
  const EXPECTED: Readonly<Record<DialectName, Readonly<Record<string, unknown>>>> = {
    claude: {
      UserPromptSubmit: block,
      Stop: block,
      PreToolUse: { hookSpecificOutput: { hookEventName: "PreToolUse", ...denial } },
      PostToolUse: { ...block, hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: reason } },
      PostToolUseFailure: block,
    },
    codex: {
      UserPromptSubmit: block,
      Stop: block,
      PreToolUse: { hookSpecificOutput: { hookEventName: "PreToolUse", ...denial } },
      PostToolUse: block,
    },
    gemini: {
      BeforeAgent: { decision: "deny", reason },
      AfterAgent: { decision: "deny", reason },
      BeforeModel: { decision: "deny", reason },
      BeforeToolSelection: {
        decision: "deny",
        reason,
        hookSpecificOutput: {
          hookEventName: "BeforeToolSelection",
          toolConfig: { mode: "NONE", allowedFunctionNames: [] },
        },
      },
      AfterModel: { continue: false, stopReason: reason },
      BeforeTool: { decision: "deny", reason },
      AfterTool: { decision: "deny", reason },
    },
  };

  test.each(["claude", "codex", "gemini"] as const)("%s: the same text at every event that can be blocked", (host) => {
    const said = Object.keys(DIALECTS[host].events).flatMap((event) => {
      const answer = refusal(DIALECTS[host], event);
      return answer ? [[event, JSON.parse(answer.stdout), answer.stderr, answer.exitCode]] : [];
    });
    expect(said).toEqual(Object.entries(EXPECTED[host]).map(([event, answer]) => [event, answer, "", 0]));
  });

  test("an unknown event has none", () => {
    expect(refusal(DIALECTS.claude, "Brandnew")).toBeUndefined();
    expect(refusal(DIALECTS.claude, "WorktreeCreate")).toBeUndefined();
  });
});
