import { describe, expect, test } from "vitest";
import { OUTCOMES } from "../../src/dialects/capability.ts";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { KNOWN_TOOLS } from "../../src/events/toolNames.ts";

/** What the host keeps whatever hooks say: the real agent was tried with every answer that it documents. */
const ONLY_SAID: readonly string[] = ["PostToolUseFailure"];

/** Every event that the hosts are known to have, and ours. */
const MAPPED: Readonly<Record<DialectName, Readonly<Record<string, string | null>>>> = {
  // Claude Code 2.1.325: its settings schema and the types of its SDK
  claude: {
    SessionStart: "SessionStart",
    SessionEnd: "SessionEnd",
    UserPromptSubmit: "BeforeAgent",
    Stop: "AfterAgent",
    PreToolUse: "BeforeTool",
    PostToolUse: "AfterTool",
    PostToolUseFailure: "AfterTool",
    Notification: "Notification",
    PermissionRequest: "Notification",
    PreCompact: "PreCompress",
    Setup: null,
    UserPromptExpansion: null,
    PermissionDenied: null,
    PostToolBatch: null,
    MessageDisplay: null,
    StopFailure: null,
    SubagentStart: null,
    SubagentStop: null,
    TaskCreated: null,
    TaskCompleted: null,
    TeammateIdle: null,
    InstructionsLoaded: null,
    ConfigChange: null,
    CwdChanged: null,
    FileChanged: null,
    DirectoryAdded: null,
    WorktreeCreate: null,
    WorktreeRemove: null,
    PostCompact: null,
    Elicitation: null,
    ElicitationResult: null,
    PreModelSwitch: null,
    PostModelSwitch: null,
  },
  // Codex 0.166
  codex: {
    SessionStart: "SessionStart",
    SessionEnd: "SessionEnd",
    UserPromptSubmit: "BeforeAgent",
    Stop: "AfterAgent",
    PreToolUse: "BeforeTool",
    PostToolUse: "AfterTool",
    PermissionRequest: "Notification",
    PreCompact: "PreCompress",
    PostCompact: null,
    SubagentStart: null,
    SubagentStop: null,
    PreModelRequest: null,
    Interrupt: null,
  },
  // Gemini CLI 0.61
  gemini: {
    SessionStart: "SessionStart",
    SessionEnd: "SessionEnd",
    BeforeAgent: "BeforeAgent",
    AfterAgent: "AfterAgent",
    BeforeModel: "BeforeModel",
    BeforeToolSelection: "BeforeToolSelection",
    AfterModel: "AfterModel",
    BeforeTool: "BeforeTool",
    AfterTool: "AfterTool",
    Notification: "Notification",
    PreCompress: "PreCompress",
  },
};

describe.each(["claude", "codex", "gemini"] as const)("the table of %s", (host) => {
  const dialect = DIALECTS[host];
  const events = Object.entries(dialect.events);

  test("has every event of the host, and ours for it", () => {
    expect(dialect.name).toBe(host);
    expect(Object.fromEntries(events.map(([name, { ours }]) => [name, ours]))).toEqual(MAPPED[host]);
  });

  test("says for each outcome what the host does", () => {
    for (const [, event] of events)
      if (event.ours) expect(Object.keys(event.can).toSorted()).toEqual([...OUTCOMES].toSorted());
  });

  test("honours every objection that our event allows, or makes it another objection", () => {
    for (const [name, event] of events) {
      if (event.ours === null) continue;
      const powers = Object.keys(EVENTS[event.ours].may);
      const asks = powers.includes("block") ? ["ask"] : [];
      for (const power of [...powers, ...asks] as ("block" | "stop" | "ask")[]) {
        const able = event.can[power];
        expect([name, power, able.is === "degraded" ? able.to : able.is]).toEqual([
          name,
          power,
          ONLY_SAID.includes(name) ? "context" : expect.stringMatching(/^(yes|block|stop)$/),
        ]);
      }
    }
  });

  test("never degrades in a circle, nor a text to an objection", () => {
    for (const [name, event] of events) {
      if (event.ours === null || ONLY_SAID.includes(name)) continue;
      const { can } = event;
      expect(can.block.is === "degraded" && can.stop.is === "degraded").toBe(false);
      expect([can.message, can.context].filter((able) => able.is === "degraded" && able.to !== "person")).toEqual([]);
      const verdicts = [can.block, can.stop, can.ask, can.rewrite, can.replace];
      expect(verdicts.filter((able) => able.is === "degraded" && ["person", "context"].includes(able.to))).toEqual([]);
    }
  });

  test("names tools of ours, and a tool only once", () => {
    const canonical = new Set(KNOWN_TOOLS.map(([name]) => name));
    for (const { theirs, ours } of dialect.tools) {
      for (const name of ours) expect(name === theirs || canonical.has(name)).toBe(true);
    }
    const names = dialect.tools.map(({ theirs }) => theirs);
    expect(new Set(names).size).toBe(names.length);
  });

  test("names only events of the host where it says how long the host waits", () => {
    for (const name of Object.keys(dialect.failure.timeoutMs.events))
      expect(Object.keys(dialect.events)).toContain(name);
  });
});
