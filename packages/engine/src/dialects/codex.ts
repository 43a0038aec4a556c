import { can, degraded, yes } from "./capability.ts";
import { decision, PERSON_ONLY, permission, permissionRequest, STOP_ROWS, TOOL_ROWS } from "./claudeStyle.ts";
import type { Dialect, DialectEvent } from "./dialect.ts";
import { nullableText, resultText, same, words } from "./fieldRows.ts";
import { isFields } from "./fields.ts";
import { permissionNotice } from "./permissionNotice.ts";
import { kept, patchTool, shellWithPatch } from "./toolRows.ts";

const NO_PROMPT_REWRITE = degraded("block", "the prompt is blocked, and the reason has the rewritten prompt", "tested");
const ASKS_NOBODY = degraded("block", "the host lets no hook ask a person", "tested");

const unmapped = (about: string): DialectEvent => ({ ours: null, about });

/** Its answers are checked against closed schemas: one unknown key, a bare allow or an ask, and the answer counts for nothing. */
export const codex: Dialect = {
  name: "codex",
  title: "Codex",
  agent: { program: "codex", packageName: "@openai/codex" },
  tested: "0.166",
  base: [
    same("session_id"),
    same("turn_id"),
    nullableText("transcript_path"),
    same("cwd"),
    same("model"),
    same("permission_mode"),
    same("agent_id"),
    same("agent_type"),
  ],
  events: {
    SessionStart: {
      ours: "SessionStart",
      rows: [
        words("source", {
          shared: ["startup", "resume", "clear"],
          decode: { compact: "compress" },
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
      about: "its reason is always `other`",
      rows: [{ theirs: "reason", ours: "reason", decode: () => "other", encode: () => "other" }],
      keys: {},
      encode: decision(),
      can: can({}),
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
      rows: STOP_ROWS,
      lacks: ["prompt"],
      keys: {},
      encode: decision(),
      can: can({ block: yes("tested"), stop: yes("tested"), ask: ASKS_NOBODY, message: PERSON_ONLY }),
    },
    PreToolUse: {
      ours: "BeforeTool",
      about: "with several hooks the rewrite of the one that ends last wins",
      rows: TOOL_ROWS,
      keys: { rewrite: { key: "updatedInput", how: "replace" } },
      encode: permission({ permissionDecision: "allow" }),
      can: can({
        block: yes("tested"),
        stop: degraded("block", "the call is denied and the turn goes on: a stop would let the call run", "tested"),
        ask: degraded("block", "the call is denied: an ask would let it run", "tested"),
        rewrite: yes("tested"),
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    PostToolUse: {
      ours: "AfterTool",
      rows: [
        ...TOOL_ROWS,
        {
          theirs: "tool_response",
          ours: "tool_response",
          decode: (value) => ({ llmContent: resultText(value), returnDisplay: resultText(value) }),
          encode: (response) => (isFields(response) ? resultText(response.llmContent) : response),
        },
      ],
      keys: {},
      encode: decision(),
      can: can({
        block: yes("tested"),
        stop: degraded("block", "the result is blocked and the turn goes on: a stop would do the same", "tested"),
        ask: ASKS_NOBODY,
        replace: degraded("block", "the result is blocked, and the reason is the replacement", "tested"),
        context: yes("tested"),
        message: PERSON_ONLY,
      }),
    },
    PermissionRequest: {
      ours: "Notification",
      about: "the host is about to ask a person; a block denies in that person's place",
      rows: [],
      derive: permissionNotice,
      isFor: () => false,
      keys: {},
      encode: permissionRequest,
      can: can({ block: yes("source"), message: PERSON_ONLY }),
    },
    PreCompact: {
      ours: "PreCompress",
      rows: [words("trigger", { shared: ["manual", "auto"], otherwise: "auto" })],
      keys: {},
      encode: decision(),
      can: can({ message: PERSON_ONLY }),
    },
    PostCompact: unmapped("the history was compressed"),
    SubagentStart: unmapped("a subagent, not the turn of the user"),
    SubagentStop: unmapped("a subagent, not the turn of the user"),
    PreModelRequest: unmapped("it cannot block, and its payload has no request"),
    Interrupt: unmapped("the person interrupted the turn"),
  },
  tools: [shellWithPatch("Bash"), patchTool("apply_patch"), kept("spawn_agent")],
  mcpPrefix: "mcp__",
  failure: {
    rows: [
      { when: "timeout", action: "runs", evidence: "tested" },
      { when: "exit code 1, exit code 3 or above, crash, missing program", action: "runs", evidence: "tested" },
      { when: "exit code 2 without text on standard error", action: "runs", evidence: "tested" },
      { when: "unreadable answer with exit code 0", action: "runs", evidence: "tested" },
      { when: "hooks that a person has not trusted with `/hooks`", action: "runs", evidence: "tested" },
    ],
    timeoutMs: { usual: 600_000, events: { SessionEnd: 1_000 } },
    timeoutEvidence: "source",
  },
};
