import { type Capability, can, degraded, yes } from "./capability.ts";
import { decision, PERSON_ONLY, permission, permissionRequest, STOP_ROWS, TOOL_ROWS } from "./claudeStyle.ts";
import type { Dialect, DialectEvent } from "./dialect.ts";
import { nullableText, resultText, same, words } from "./fieldRows.ts";
import { type Fields, isFields } from "./fields.ts";
import { permissionNotice } from "./permissionNotice.ts";
import { kept, multiEdit, tool } from "./toolRows.ts";

const EDIT_NAMES = { replace_all: "allow_multiple" };
const MOD = "a mod that answers `tool.check` with allow, unless the hook comes from managed settings";
const NO_PROMPT_REWRITE = degraded("block", "the prompt is blocked, and the reason has the rewritten prompt", "tested");
const ASKS_NOBODY = degraded("block", "the host can ask a person only before a tool runs", "tested");
const ERROR_STAYS = degraded(
  "context",
  "if the tool failed, the model reads the reason beside the error: the host keeps the error, and the turn goes on",
  "tested",
);

const unmapped = (about: string): DialectEvent => ({ ours: null, about });
const overridable = (capability: Capability): Capability =>
  capability.is === "no" ? capability : { ...capability, overriddenBy: MOD };

export const claude: Dialect = {
  name: "claude",
  title: "Claude Code",
  agent: {
    program: "claude",
    packageName: "@anthropic-ai/claude-code",
    otherPackages: ["@anthropic-ai/claude-agent-sdk"],
    mark: "CLAUDECODE",
  },
  tested: "2.1.325",
  base: [
    same("session_id"),
    nullableText("transcript_path"),
    same("cwd"),
    same("prompt_id"),
    same("permission_mode"),
    same("effort"),
    same("agent_id"),
    same("agent_type"),
  ],
  events: {
    SessionStart: {
      ours: "SessionStart",
      rows: [
        words("source", {
          shared: ["startup", "resume", "clear"],
          decode: { compact: "compress", fork: "resume" },
          encode: { compress: "compact" },
          otherwise: "startup",
        }),
      ],
      keys: {},
      encode: decision(),
      can: can({ context: yes("tested"), message: PERSON_ONLY }),
    },
    SessionEnd: {
      ours: "SessionEnd",
      rows: [
        words("reason", {
          shared: ["clear", "logout", "other"],
          decode: { prompt_input_exit: "exit" },
          encode: { exit: "prompt_input_exit", error: "other", timeout: "other" },
          otherwise: "other",
        }),
      ],
      keys: {},
      encode: decision(),
      can: can({ message: PERSON_ONLY }),
    },
    UserPromptSubmit: {
      ours: "BeforeAgent",
      rows: [same("prompt")],
      keys: {},
      encode: decision(),
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        rewrite: NO_PROMPT_REWRITE,
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    Stop: {
      ours: "AfterAgent",
      about: "blocks at most 8 times in a row",
      rows: STOP_ROWS,
      lacks: ["prompt"],
      keys: {},
      encode: decision(),
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        context: yes("documented"),
        message: PERSON_ONLY,
      }),
    },
    PreToolUse: {
      ours: "BeforeTool",
      about: "`ask` is a denial where no person can answer",
      rows: TOOL_ROWS,
      keys: { rewrite: { key: "updatedInput", how: "replace" } },
      encode: permission({}),
      can: can({
        block: overridable(yes("tested")),
        stop: overridable(yes("tested")),
        ask: overridable(yes("tested")),
        rewrite: yes("tested"),
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    PostToolUse: {
      ours: "AfterTool",
      rows: [...TOOL_ROWS, { theirs: "tool_response", ours: "tool_response", decode: readResult, encode: writeResult }],
      isFor: ({ tool_response }) => !isFailed(tool_response),
      keys: { replace: "updatedToolOutput" },
      encode: decision((replace, theirs) => replacedResult(replace, theirs)),
      can: can({
        block: yes("tested"),
        stop: yes("tested"),
        ask: ASKS_NOBODY,
        replace: yes("tested"),
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    PostToolUseFailure: {
      ours: "AfterTool",
      rows: [
        ...TOOL_ROWS,
        {
          theirs: "error",
          ours: "tool_response",
          decode: (error) => ({ ...readResult(error), error: { message: resultText(error) } }),
          encode: (response) => (isFields(response) ? resultText(response.llmContent) : response),
        },
      ],
      isFor: ({ tool_response }) => isFailed(tool_response),
      keys: {},
      encode: decision(),
      can: can({
        block: ERROR_STAYS,
        stop: ERROR_STAYS,
        ask: ERROR_STAYS,
        replace: ERROR_STAYS,
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    Notification: {
      ours: "Notification",
      rows: [same("notification_type"), same("message")],
      derive: ({ message, notification_type }) => ({
        notification_type: notification_type ?? "",
        details: { type: "info", title: typeof message === "string" ? message : "" },
      }),
      keys: {},
      encode: decision(),
      can: can({ message: PERSON_ONLY }),
    },
    PermissionRequest: {
      ours: "Notification",
      about: "the host is about to ask a person; a block denies in that person's place",
      rows: [],
      derive: permissionNotice,
      isFor: () => false,
      keys: {},
      encode: permissionRequest,
      can: can({ block: yes("documented"), message: PERSON_ONLY }),
    },
    PreCompact: {
      ours: "PreCompress",
      rows: [words("trigger", { shared: ["manual", "auto"], otherwise: "auto" }), nullableText("custom_instructions")],
      keys: {},
      encode: decision(),
      can: can({ message: PERSON_ONLY }),
    },
    Setup: unmapped("the host is set up"),
    UserPromptExpansion: unmapped("a command was expanded; `UserPromptSubmit` has the prompt"),
    PermissionDenied: unmapped("a call was denied already"),
    PostToolBatch: unmapped("each call of the batch had its own event"),
    MessageDisplay: unmapped("how an answer is displayed"),
    StopFailure: unmapped("the turn ended with an error"),
    SubagentStart: unmapped("a subagent, not the turn of the user"),
    SubagentStop: unmapped("a subagent, not the turn of the user"),
    TaskCreated: unmapped("the host's own list of tasks"),
    TaskCompleted: unmapped("the host's own list of tasks"),
    TeammateIdle: unmapped("the host's own agents"),
    InstructionsLoaded: unmapped("a file with instructions was read"),
    ConfigChange: unmapped("the host's settings changed"),
    CwdChanged: unmapped("the working folder changed"),
    FileChanged: unmapped("a watched file changed"),
    DirectoryAdded: unmapped("the workspace grew"),
    WorktreeCreate: unmapped("a worktree; hooks answer with its path"),
    WorktreeRemove: unmapped("a worktree"),
    PostCompact: unmapped("the history was compressed"),
    Elicitation: unmapped("an MCP server asks the person"),
    ElicitationResult: unmapped("an MCP server asked the person"),
    PreModelSwitch: unmapped("the model changes"),
    PostModelSwitch: unmapped("the model changed"),
  },
  tools: [
    tool("Write", "write_file"),
    tool("Edit", "replace", EDIT_NAMES),
    multiEdit("MultiEdit", EDIT_NAMES),
    tool("NotebookEdit", "replace", { notebook_path: "file_path", new_source: "new_string" }),
    tool("Read", "read_file"),
    tool("Bash", "run_shell_command"),
    tool("Glob", "glob", { path: "dir_path" }),
    tool("Grep", "grep_search", { path: "dir_path", glob: "include" }),
    tool("LS", "list_directory", { path: "dir_path" }),
    kept("WebFetch"),
    kept("WebSearch"),
    kept("Task"),
  ],
  mcpPrefix: "mcp__",
  failure: {
    rows: [
      { when: "timeout", action: "runs", unless: '`onFailure: "block"`, from 2.1.295', evidence: "tested" },
      {
        when: "exit code 1, exit code 3 or above, crash, missing program",
        action: "runs",
        unless: '`onFailure: "block"`, from 2.1.295',
        evidence: "tested",
      },
      { when: "unreadable answer with exit code 0", action: "runs", evidence: "tested" },
    ],
    timeoutMs: {
      usual: 600_000,
      events: {
        UserPromptSubmit: 30_000,
        MessageDisplay: 10_000,
        PreModelSwitch: 30_000,
        PostModelSwitch: 30_000,
        SessionEnd: 1_500,
      },
    },
    timeoutEvidence: "documented",
  },
};

function readResult(value: unknown): Fields {
  const text = resultText(value);
  return { llmContent: text, returnDisplay: text };
}

/** Hooks written for Claude read what a shell printed from `stdout`. */
function writeResult(response: unknown, { tool_name }: Fields): unknown {
  if (!isFields(response)) return response;
  const text = resultText(response.llmContent);
  return tool_name === "run_shell_command" ? { stdout: text, stderr: "", interrupted: false, isImage: false } : text;
}

/** In the shape of the host's own result. */
function replacedResult(replace: unknown, theirs: unknown): unknown {
  const text = resultText(isFields(replace) ? replace.llmContent : replace);
  return isFields(theirs) && typeof theirs.stdout === "string" ? { ...theirs, stdout: text, stderr: "" } : text;
}

function isFailed(response: unknown): boolean {
  return isFields(response) && response.error !== undefined && response.error !== null;
}
