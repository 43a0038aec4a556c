import { describe, expect, test } from "vitest";
import { decodeCall } from "../../src/dialects/decodeCall.ts";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { EVENTS, type HookEventName } from "../../src/events/catalog.ts";
import { calling, sample, sampleNames } from "./hostSamples.ts";

type Payload = Readonly<Record<string, unknown>>;

interface Expected {
  readonly ours: HookEventName;
  /** Fields that have another name or value in our event. */
  readonly fields?: Payload;
  /** Their fields that do not exist in it. */
  readonly gone?: readonly string[];
}

const RECORDED = "recorded";
const RUN = "echo REAL-OUTPUT > ran.txt; cat ran.txt";
const result = (text: string) => ({ llmContent: text, returnDisplay: text });
const MISSING = "File does not exist. Note: your current working directory is /home/dev/lab/w/claude/p-allow.";

/** Every recorded payload; whatever is not named here is the same in our event. */
const EXPECTED: Readonly<Record<DialectName, Readonly<Record<string, Expected | typeof RECORDED>>>> = {
  claude: {
    InstructionsLoaded: RECORDED,
    MessageDisplay: RECORDED,
    PermissionRequest: {
      ours: "Notification",
      fields: {
        notification_type: "ToolPermission",
        message: "Bash requires permission",
        details: { type: "exec", title: "Use Bash?", command: RUN },
      },
    },
    PostToolBatch: RECORDED,
    PostToolUse: {
      ours: "AfterTool",
      fields: { tool_name: "run_shell_command", tool_call_id: "toolu_1", tool_response: result("REAL-OUTPUT") },
      gone: ["tool_use_id"],
    },
    PostToolUseFailure: {
      ours: "AfterTool",
      fields: {
        tool_name: "read_file",
        tool_call_id: "toolu_3",
        tool_response: { ...result(MISSING), error: { message: MISSING } },
      },
      gone: ["tool_use_id", "error"],
    },
    PreCompact: { ours: "PreCompress", fields: { custom_instructions: "" } },
    PreToolUse: {
      ours: "BeforeTool",
      fields: { tool_name: "run_shell_command", tool_call_id: "toolu_1" },
      gone: ["tool_use_id"],
    },
    SessionEnd: { ours: "SessionEnd" },
    SessionStart: { ours: "SessionStart" },
    Stop: { ours: "AfterAgent", fields: { prompt_response: "FAKE-FINAL: done." }, gone: ["last_assistant_message"] },
    SubagentStart: RECORDED,
    SubagentStop: RECORDED,
    UserPromptSubmit: { ours: "BeforeAgent" },
  },
  codex: {
    PostCompact: RECORDED,
    PostToolUse: {
      ours: "AfterTool",
      fields: { tool_name: "run_shell_command", tool_call_id: "call_1", tool_response: result("REAL-OUTPUT\n") },
      gone: ["tool_use_id"],
    },
    PreCompact: { ours: "PreCompress" },
    PreModelRequest: RECORDED,
    PreToolUse: {
      ours: "BeforeTool",
      fields: { tool_name: "run_shell_command", tool_call_id: "call_1" },
      gone: ["tool_use_id"],
    },
    SessionEnd: { ours: "SessionEnd" },
    SessionStart: { ours: "SessionStart" },
    Stop: { ours: "AfterAgent", fields: { prompt_response: "FAKE-FINAL: done." }, gone: ["last_assistant_message"] },
    UserPromptSubmit: { ours: "BeforeAgent" },
  },
  gemini: {
    AfterAgent: { ours: "AfterAgent" },
    AfterModel: { ours: "AfterModel" },
    AfterTool: { ours: "AfterTool" },
    BeforeAgent: { ours: "BeforeAgent" },
    BeforeModel: { ours: "BeforeModel" },
    BeforeTool: { ours: "BeforeTool" },
    BeforeToolSelection: { ours: "BeforeToolSelection" },
    Notification: { ours: "Notification" },
    PreCompress: { ours: "PreCompress" },
    SessionEnd: { ours: "SessionEnd" },
    SessionStart: { ours: "SessionStart" },
  },
};

describe.each(["claude", "codex", "gemini"] as const)("what %s really sends", (host) => {
  const dialect = DIALECTS[host];

  test("is expected below, event by event", () => {
    expect(sampleNames(host)).toEqual(Object.keys(EXPECTED[host]).toSorted());
  });

  test.each(Object.entries(EXPECTED[host]))("%s", (event, expected) => {
    const payload = sample(host, event);
    const call = decodeCall(dialect, event, payload);
    if (expected === RECORDED) {
      expect(call).toEqual({ kind: "recorded", event });
      return;
    }
    const { ours, fields: changed = {}, gone = [] } = expected;
    const kept = Object.entries(payload).filter(([name]) => !gone.includes(name));
    const fields = { ...Object.fromEntries(kept), ...changed, hook_event_name: ours };
    const sent = ["tool_name", "tool_input", "tool_response"].flatMap((name) =>
      name in payload ? [[name, payload[name]]] : [],
    );
    expect(call).toEqual({
      kind: "event",
      ours,
      parts: [{ fields }],
      host: { name: host, event, ...Object.fromEntries(sent) },
    });
  });

  test("fits our event, once the caller has added what the host does not send", () => {
    for (const [event, expected] of Object.entries(EXPECTED[host])) {
      if (expected === RECORDED) continue;
      const mapped = dialect.events[event];
      const lacks = (mapped?.ours && mapped.lacks) ?? [];
      const added = Object.fromEntries(lacks.map((name) => [name, "added"]));
      for (const { fields } of calling(host, event).parts) {
        expect(EVENTS[expected.ours].input.safeParse({ ...fields, ...added }).error).toBeUndefined();
      }
    }
  });
});

const inputOf = (call: ReturnType<typeof calling>) =>
  call.parts.map(({ fields }) => [fields.tool_name, fields.tool_input]);
const before = (host: DialectName, tool_name: string, tool_input: unknown) =>
  calling(host, host === "gemini" ? "BeforeTool" : "PreToolUse", { tool_name, tool_input });

test.each([
  ["Write", { file_path: "/a", content: "x" }, "write_file", { file_path: "/a", content: "x" }],
  [
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
    "replace",
    { file_path: "/a", old_string: "x", new_string: "y", allow_multiple: true },
  ],
  [
    "NotebookEdit",
    { notebook_path: "/n.ipynb", new_source: "x", cell_id: "c", edit_mode: "insert" },
    "replace",
    { file_path: "/n.ipynb", new_string: "x", cell_id: "c", edit_mode: "insert" },
  ],
  ["Read", { file_path: "/a", limit: 3 }, "read_file", { file_path: "/a", limit: 3 }],
  ["Glob", { pattern: "*", path: "/d" }, "glob", { pattern: "*", dir_path: "/d" }],
  [
    "Grep",
    { pattern: "x", path: "/d", glob: "*.ts" },
    "grep_search",
    { pattern: "x", dir_path: "/d", include: "*.ts" },
  ],
  ["LS", { path: "/d" }, "list_directory", { dir_path: "/d" }],
  ["WebFetch", { url: "https://a" }, "WebFetch", { url: "https://a" }],
  ["SomethingNew", { path: "/d" }, "SomethingNew", { path: "/d" }],
  ["constructor", { path: "/d" }, "constructor", { path: "/d" }],
])("a tool of Claude Code by our names: %s", (theirs, input, ours, ourInput) => {
  const call = before("claude", theirs, input);
  expect(inputOf(call)).toEqual([[ours, ourInput]]);
  expect(call.host).toMatchObject({ tool_name: theirs, tool_input: input });
});

test.each([
  [
    "NotebookEdit",
    { notebook_path: "/secret", file_path: "/harmless", new_source: "x" },
    { file_path: "/secret", new_string: "x" },
  ],
  ["Glob", { path: "/secret", dir_path: "/harmless" }, { dir_path: "/secret" }],
  ["Glob", { dir_path: "/harmless", path: "/secret" }, { dir_path: "/secret" }],
])("an argument that the tool does not know cannot hide the one that counts: %s %j", (theirs, input, expected) => {
  expect(inputOf(before("claude", theirs, input)).map(([, given]) => given)).toEqual([expected]);
});

test("each edit of a call with several is an event, and none can name another file", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d", replace_all: true, file_path: "/harmless" },
  ];
  const { parts } = before("claude", "MultiEdit", { file_path: "/secret", edits });
  expect(parts.map(({ part, fields }) => [part, fields.tool_name, fields.tool_input])).toEqual([
    [1, "replace", { file_path: "/secret", old_string: "a", new_string: "b" }],
    [2, "replace", { file_path: "/secret", old_string: "c", new_string: "d", allow_multiple: true }],
  ]);
  expect(parts.map(({ fields }) => fields.tool_call_id)).toEqual(["toolu_1", "toolu_1"]);
});

test.each([{ file_path: "/a" }, { file_path: "/a", edits: [] }, { file_path: "/a", edits: ["x"] }])(
  "edits that cannot be read are marked: %j",
  (input) => {
    const { parts } = before("claude", "MultiEdit", input);
    expect(parts).toEqual([
      { fields: expect.objectContaining({ tool_name: "MultiEdit", tool_input: input }), unreadable: true },
    ]);
  },
);

const PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch";
const WRITES = [
  ["write_file", { file_path: "a", content: "x\n" }],
  ["write_file", { file_path: "b", content: "", deleted: true }],
];

test("a patch of Codex is an event for each file", () => {
  expect(inputOf(before("codex", "apply_patch", { command: PATCH }))).toEqual(WRITES);
});

test("a shell command with a patch is seen by guards of the shell and by those of files", () => {
  const command = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
  expect(inputOf(before("codex", "Bash", { command }))).toEqual([["run_shell_command", { command }], ...WRITES]);
  expect(inputOf(before("codex", "Bash", { command: "ls" }))).toEqual([["run_shell_command", { command: "ls" }]]);
});

test.each([
  ["apply_patch", { command: "*** Begin Patch\n*** Frobnicate: a\n*** End Patch" }],
  ["apply_patch", { patch: PATCH }],
  ["apply_patch", {}],
  ["Bash", { command: `cat <<EOF | apply_patch\n${PATCH}\nEOF` }],
])("a patch that cannot be read keeps the tool's name and is marked: %s %j", (name, input) => {
  expect(before("codex", name, input).parts).toEqual([
    { fields: expect.objectContaining({ tool_name: name, tool_input: input }), unreadable: true },
  ]);
});

test("tools of MCP servers have our form in every host", () => {
  const ours = {
    tool_name: "mcp_git_hub_create__issue",
    mcp_context: { server_name: "git.hub", tool_name: "create__issue" },
  };
  for (const host of ["claude", "codex"] as const) {
    expect(before(host, "mcp__git.hub__create__issue", { title: "x" }).parts[0]?.fields).toMatchObject({
      ...ours,
      tool_input: { title: "x" },
    });
    expect(before(host, "mcp__alone", {}).parts[0]?.fields.tool_name).toBe("mcp__alone");
  }
  const sent = calling("gemini", "BeforeTool", { ...ours, tool_input: {} });
  expect(sent.parts[0]?.fields).toMatchObject(ours);
});

test.each([
  ["claude", "SessionStart", { source: "compact" }, { source: "compress" }],
  ["claude", "SessionStart", { source: "fork" }, { source: "resume" }],
  ["claude", "SessionStart", { source: "teleport" }, { source: "startup" }],
  ["claude", "SessionEnd", { reason: "prompt_input_exit" }, { reason: "exit" }],
  ["claude", "SessionEnd", { reason: "somehow" }, { reason: "other" }],
  ["claude", "Stop", { last_assistant_message: null }, { prompt_response: "" }],
  ["codex", "SessionStart", { source: "compact" }, { source: "compress" }],
  ["codex", "PreCompact", { transcript_path: null }, { transcript_path: "" }],
  ["gemini", "SessionEnd", { reason: "prompt_input_exit" }, { reason: "exit" }],
  ["claude", "PreToolUse", { tool_input: null }, { tool_input: {} }],
  [
    "claude",
    "PreToolUse",
    { host: "forged", second_pass: true },
    { tool_input: { command: "touch PWNED", description: "x" } },
  ],
] as const)("%s %s %j becomes %j", (host, event, changes, expected) => {
  const [part] = calling(host, event, changes).parts;
  expect(part?.fields).toMatchObject(expected);
  expect(part?.fields).not.toHaveProperty("host");
  expect(part?.fields).not.toHaveProperty("second_pass");
});

test.each([
  [{ message: "Claude needs your permission", notification_type: "permission_prompt" }, "permission_prompt"],
  [{ message: "Claude is waiting" }, ""],
])("a notification of Claude Code has details of ours: %j", (given, notification_type) => {
  const payload = { session_id: "s", transcript_path: "/t", cwd: "/d", hook_event_name: "Notification", ...given };
  const call = decodeCall(DIALECTS.claude, "Notification", payload);
  const fields = { ...payload, notification_type, details: { type: "info", title: given.message } };
  expect(call).toEqual({
    kind: "event",
    ours: "Notification",
    parts: [{ fields }],
    host: { name: "claude", event: "Notification" },
  });
});

test("what a tool of Claude Code returned is text for our guards, of whatever shape", () => {
  const textOf = (tool_response: unknown) =>
    calling("claude", "PostToolUse", { tool_response }).parts[0]?.fields.tool_response;
  expect(textOf("plain")).toEqual(result("plain"));
  expect(textOf({ stdout: "out", stderr: "err" })).toEqual(result("out\nerr"));
  expect(
    textOf([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
  ).toEqual(result("a\nb"));
  expect(textOf({ stdout: " ", stderr: "" })).toEqual(result(" "));
  expect(textOf({ content: [{ type: "text", text: "a" }] })).toEqual(result("a"));
  expect(textOf({ filePath: "/a", ok: true })).toEqual(result('{"filePath":"/a","ok":true}'));
  expect(textOf(7)).toEqual(result("7"));
});

test("an event that no host table has is told apart from one that is only recorded", () => {
  expect(decodeCall(DIALECTS.claude, "Brandnew", {})).toEqual({ kind: "unknown", event: "Brandnew" });
  expect(decodeCall(DIALECTS.claude, "toString", {})).toEqual({ kind: "unknown", event: "toString" });
  expect(decodeCall(DIALECTS.codex, "Interrupt", null)).toEqual({ kind: "recorded", event: "Interrupt" });
});

const deep = (levels: number): unknown => (levels === 0 ? "x" : { in: deep(levels - 1) });

test.each([
  ["a text", "x", "the payload is not an object"],
  ["a list", [], "the payload is not an object"],
  ["null", null, "the payload is not an object"],
  ["no folder", { ...sample("claude", "PreToolUse"), cwd: undefined }, /^cwd: /],
  ["no session", { ...sample("claude", "PreToolUse"), session_id: 7 }, /^session_id: /],
  ["no tool", { ...sample("claude", "PreToolUse"), tool_name: undefined }, /^tool_name: /],
  ["a tool without a name", { ...sample("claude", "PreToolUse"), tool_name: "" }, /^tool_name: /],
  ["arguments that are a text", { ...sample("claude", "PreToolUse"), tool_input: "rm" }, "tool_input is not an object"],
  [
    "arguments with half a character",
    { ...sample("claude", "PreToolUse"), tool_input: { command: "\ud800" } },
    /not well-formed/,
  ],
  ["arguments nested too deep", { ...sample("claude", "PreToolUse"), tool_input: deep(300) }, /nested deeper/],
] as const)("a payload that lacks what the event needs is invalid: %s", (_, payload, why) => {
  expect(decodeCall(DIALECTS.claude, "PreToolUse", payload)).toEqual({
    kind: "invalid",
    event: "PreToolUse",
    ours: "BeforeTool",
    why: typeof why === "string" ? why : expect.stringMatching(why),
    readable: !["the payload is not an object", "/^cwd: /", "/^session_id: /"].includes(String(why)),
  });
});

test("the version of the host is kept where it is known", () => {
  const call = decodeCall(DIALECTS.gemini, "PreCompress", sample("gemini", "PreCompress"), "0.61.0");
  expect(call).toMatchObject({ host: { name: "gemini", version: "0.61.0", event: "PreCompress" } });
});
