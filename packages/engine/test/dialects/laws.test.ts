import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAnswer } from "../../src/dialects/decodeAnswer.ts";
import { decodeCall } from "../../src/dialects/decodeCall.ts";
import type { Dialect, OurAnswer } from "../../src/dialects/dialect.ts";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { encodeAnswer } from "../../src/dialects/encodeAnswer.ts";
import { encodeInput } from "../../src/dialects/encodeInput.ts";
import { EVENTS, type HookEventName } from "../../src/events/catalog.ts";
import { saysStop, wordOf } from "../../src/events/decisionWords.ts";
import { calling, sampleNames } from "./hostSamples.ts";

const HOSTS = ["claude", "codex", "gemini"] as const;

const objects = (answer: OurAnswer) =>
  ["block", "ask"].includes(wordOf(answer.decision)?.word ?? "") || saysStop(answer.continue);

/** Samples of events that can be objected to; those of tools also with a call of several parts, where the host has such a tool. */
function objectable(host: DialectName) {
  const several = {
    claude: {
      tool_name: "MultiEdit",
      tool_input: {
        file_path: "/a",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "c", new_string: "d" },
        ],
      },
    },
    codex: {
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch" },
    },
    gemini: {},
  }[host];
  return sampleNames(host).flatMap((event) => {
    const mapped = DIALECTS[host].events[event];
    if (!mapped?.ours || !("block" in EVENTS[mapped.ours].may)) return [];
    const isTool = EVENTS[mapped.ours].subject?.kind === "tool";
    return [calling(host, event), ...(isTool ? [calling(host, event, several)] : [])];
  });
}

const text = fc.oneof(fc.constantFrom("", " ", "no", 'say "hi"\n', "{}"), fc.string());
const specific = fc.record(
  {
    additionalContext: text,
    tool_input: fc.constant({ command: "ls" }),
    tool_response: fc.constant({ llmContent: "other" }),
    prompt: text,
    llm_request: fc.constant({ model: "x" }),
    llm_response: fc.constant({ candidates: [] }),
    toolConfig: fc.constant({ mode: "ANY" }),
    clearContext: fc.boolean(),
    tailToolCallRequest: fc.constant({ name: "x", args: {} }),
  },
  { requiredKeys: [] },
);
const ourAnswer = fc.record(
  {
    decision: fc.constantFrom("allow", "approve", "deny", "block", "ask"),
    reason: text,
    continue: fc.boolean(),
    stopReason: text,
    systemMessage: text,
    hookSpecificOutput: specific,
  },
  { requiredKeys: [] },
);

describe.each(HOSTS)("%s", (host) => {
  const dialect: Dialect = DIALECTS[host];
  const calls = objectable(host);

  test("an objection is one for the host, and read back as one; silence never becomes one but by a declared degradation", () => {
    const given = fc.record({
      call: fc.constantFrom(...calls),
      first: ourAnswer,
      more: fc.array(ourAnswer, { minLength: 1, maxLength: 1 }),
      ask: fc.constantFrom("host" as const, "deny" as const),
    });
    fc.assert(
      fc.property(given, ({ call, first, more, ask }) => {
        const answers = [first, ...more].slice(0, call.parts.length);
        const { stdout, degraded } = encodeAnswer(dialect, call, answers, { ask });
        const printed = stdout === "" ? {} : JSON.parse(stdout);
        const { payload = {} } = encodeInput(dialect, call.ours, call.parts[0]?.fields ?? {}) ?? {};
        const back = decodeAnswer(dialect, call.host.event, printed, payload);
        expect(objects(back)).toBe(answers.some(objects) || degraded.some(({ to }) => to !== "person"));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a denial always has a reason that is not blank", () => {
    fc.assert(
      fc.property(fc.constantFrom(...calls), ourAnswer, (call, answer) => {
        const { stdout, stderr, exitCode } = encodeAnswer(
          dialect,
          call,
          call.parts.map(() => answer),
        );
        const printed = stdout === "" ? {} : JSON.parse(stdout);
        const back = decodeAnswer(dialect, call.host.event, printed, {});
        expect([stderr, exitCode]).toEqual(["", 0]);
        if (objects(back)) expect((back.reason ?? back.stopReason ?? "").trim()).not.toBe("");
      }),
    );
  });

  test("a hook's objection is never lost, whatever else it says; an allow is never made of anything else", () => {
    const word = fc.constantFrom(
      "allow",
      "approve",
      "deny",
      "block",
      "ask",
      "defer",
      "Denied",
      "rejected",
      "dney",
      "",
      7,
      null,
      true,
    );
    const loose = fc.record(
      {
        decision: word,
        permissionDecision: word,
        continue: fc.constantFrom(true, false, "false", null),
        reason: text,
        hookSpecificOutput: fc.record(
          {
            permissionDecision: word,
            permissionDecisionReason: text,
            decision: word,
            updatedInput: fc.jsonValue(),
            other: word,
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const inHost = fc.constantFrom(...Object.keys(dialect.events));
    fc.assert(
      fc.property(inHost, loose, (event, answer) => {
        const back = decodeAnswer(dialect, event, answer, { tool_name: "Bash", tool_input: { command: "rm" } });
        const before = [answer, answer.hookSpecificOutput ?? {}].flatMap(wordsIn);
        const after = [{ ...back }, back.hookSpecificOutput ?? {}].flatMap(wordsIn);
        if (before.includes("block")) expect(after).toContain("block");
        if (before.includes("ask")) expect(after.includes("ask") || after.includes("block")).toBe(true);
        if (saysStop(answer.continue)) expect(saysStop(back.continue)).toBe(true);
        if (!before.includes("allow")) expect(after).not.toContain("allow");
      }),
      { numRuns: 1_000 },
    );
  });

  test("an input of ours comes back from the host's form as it was", () => {
    fc.assert(
      fc.property(fc.oneof(...inputsFor(host)), ([ours, fields]) => {
        const sent = encodeInput(dialect, ours, fields);
        if (!sent) return;
        const call = decodeCall(dialect, sent.event, JSON.parse(JSON.stringify(sent.payload)));
        const unsent = [...lacksOf(dialect, sent.event), ...(host === "gemini" ? [] : ["timestamp"])];
        const known = Object.entries(fields).filter(([name]) => !unsent.includes(name));
        const back = { ...Object.fromEntries(known), hook_event_name: ours };
        expect(call).toMatchObject({ kind: "event", ours });
        expect(call.kind === "event" && call.parts).toEqual([{ fields: back }]);
      }),
    );
  });
});

/** The words of a verdict, in every place and spelling that our reader of answers accepts. */
function wordsIn(fields: Readonly<Record<string, unknown>>): readonly (string | undefined)[] {
  return [fields.decision, fields.permissionDecision].map((word) => (word === "defer" ? "ask" : wordOf(word)?.word));
}

function lacksOf(dialect: Dialect, event: string): readonly string[] {
  const mapped = dialect.events[event];
  return (mapped?.ours && mapped.lacks) ?? [];
}

type Input = readonly [HookEventName, Readonly<Record<string, unknown>>];

/** Inputs of ours whose every field the host knows. */
function inputsFor(host: DialectName): readonly fc.Arbitrary<Input>[] {
  const words = {
    claude: ["startup", "resume", "clear", "compress"],
    codex: ["startup", "resume", "clear", "compress"],
    gemini: ["startup", "resume", "clear"],
  };
  const reasons = {
    claude: ["exit", "clear", "logout", "other"],
    codex: ["other"],
    gemini: ["exit", "clear", "logout", "other"],
  };
  // Lines of a patch end with a line break, and a carriage return before it is a part of that.
  const content = host === "codex" ? text.map((given) => `${given.replaceAll("\r", "")}\n`) : text;
  const piece = text.map((given) => `x${given.replaceAll("\r", "")}`);
  const path = fc.stringMatching(/^[\w./-]{1,12}$/);
  const sent = fc.json().map((json): unknown => JSON.parse(json)); // JSON has no -0
  const tool = fc.oneof(
    fc.record({ file_path: path, content }).map((tool_input) => ({ tool_name: "write_file", tool_input })),
    fc
      .record({ file_path: path, old_string: piece, new_string: piece })
      .map((tool_input) => ({ tool_name: "replace", tool_input })),
    fc.record({ command: piece }).map((tool_input) => ({ tool_name: "run_shell_command", tool_input })),
    fc.record({ file_path: path, limit: fc.nat() }).map((tool_input) => ({ tool_name: "read_file", tool_input })),
    fc.record({ pattern: text, dir_path: path }).map((tool_input) => ({ tool_name: "glob", tool_input })),
    fc.dictionary(fc.string(), sent).map((tool_input) => ({ tool_name: "my_tool", tool_input })),
    fc.constant({
      tool_name: "mcp_server_tool",
      tool_input: {},
      mcp_context: { server_name: "server", tool_name: "tool" },
    }),
  );
  const call =
    host === "gemini" ? tool : fc.tuple(tool, text).map(([fields, id]) => ({ ...fields, tool_call_id: `c${id}` }));
  const result = text.map((given) => ({ llmContent: given, returnDisplay: given }));
  const base = fc.record({ session_id: text, transcript_path: text, cwd: text, timestamp: text });
  const inputs: readonly (readonly [HookEventName, fc.Arbitrary<object>])[] = [
    ["SessionStart", fc.record({ source: fc.constantFrom(...words[host]) })],
    ["SessionEnd", fc.record({ reason: fc.constantFrom(...reasons[host]) })],
    ["BeforeAgent", fc.record({ prompt: text })],
    ["AfterAgent", fc.record({ prompt: text, prompt_response: text, stop_hook_active: fc.boolean() })],
    ["BeforeTool", call],
    ["AfterTool", fc.tuple(call, result).map(([fields, tool_response]) => ({ ...fields, tool_response }))],
    ["PreCompress", fc.record({ trigger: fc.constantFrom("manual", "auto") })],
  ];
  return inputs.map(([ours, own]) =>
    fc.tuple(base, own).map(([common, fields]): Input => [ours, { ...common, ...fields }]),
  );
}
