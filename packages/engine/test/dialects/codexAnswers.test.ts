import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { OurAnswer } from "../../src/dialects/dialect.ts";
import { DIALECTS } from "../../src/dialects/dialects.ts";
import { encodeAnswer, refusal } from "../../src/dialects/encodeAnswer.ts";
import { presentable } from "../../src/events/plainJson.ts";
import { calling } from "./hostSamples.ts";

// What Codex accepts: it refuses an answer with any other key or combination, and a refused answer lets the tool run.
const filled = z.string().refine((text) => text.trim() !== "");
const universal = {
  continue: z.literal(false).optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
};
const blocking = { ...universal, decision: z.literal("block").optional(), reason: filled.optional() };
const context = (event: string) =>
  z.strictObject({ hookEventName: z.literal(event), additionalContext: z.string().optional() });
const hasReason = ({ decision, reason }: { decision?: string | undefined; reason?: string | undefined }) =>
  (decision === undefined) === (reason === undefined);

const permission = z
  .strictObject({
    hookEventName: z.literal("PreToolUse"),
    permissionDecision: z.enum(["allow", "deny"]).optional(),
    permissionDecisionReason: filled.optional(),
    updatedInput: z.looseObject({}).optional(),
    additionalContext: z.string().optional(),
  })
  .refine(({ permissionDecision, permissionDecisionReason, updatedInput }) => {
    if ((permissionDecision === "allow") !== (updatedInput !== undefined)) return false;
    return (permissionDecision === "deny") === (permissionDecisionReason !== undefined);
  });

const ACCEPTED: Readonly<Record<string, z.ZodType>> = {
  PreToolUse: z.strictObject({ systemMessage: z.string().optional(), hookSpecificOutput: permission.optional() }),
  PostToolUse: z.strictObject({ ...blocking, hookSpecificOutput: context("PostToolUse").optional() }).refine(hasReason),
  UserPromptSubmit: z
    .strictObject({ ...blocking, hookSpecificOutput: context("UserPromptSubmit").optional() })
    .refine(hasReason),
  SessionStart: z.strictObject({ ...universal, hookSpecificOutput: context("SessionStart").optional() }),
  Stop: z.strictObject(blocking).refine(hasReason),
  PreCompact: z.strictObject(universal),
  SessionEnd: z.strictObject({}),
};

const text = fc.oneof(fc.constantFrom("", " ", "\ud800"), fc.string({ unit: "binary" }));
const answer: fc.Arbitrary<OurAnswer> = fc.record(
  {
    decision: fc.constantFrom("allow", "approve", "deny", "block", "ask"),
    reason: text,
    continue: fc.boolean(),
    stopReason: text,
    suppressOutput: fc.boolean(),
    systemMessage: text,
    hookSpecificOutput: fc.record(
      {
        additionalContext: text,
        tool_input: fc.dictionary(fc.string(), fc.jsonValue()),
        tool_response: fc.record({ llmContent: text }),
        prompt: text,
        clearContext: fc.boolean(),
        unknown: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test.each(Object.keys(ACCEPTED))("Codex accepts whatever our hooks say on %s", (event) => {
  const call = calling("codex", event);
  fc.assert(
    fc.property(answer, fc.constantFrom("host" as const, "deny" as const), (given, ask) => {
      const { stdout } = encodeAnswer(DIALECTS.codex, call, [given], { ask });
      if (stdout === "") return;
      const said: unknown = JSON.parse(stdout);
      expect(ACCEPTED[event]?.safeParse(said).error).toBeUndefined();
      expect(presentable(said)).toBe(said); // nothing in it needs repair
    }),
    { numRuns: 500 },
  );
});

test("Codex accepts what the client says alone", () => {
  for (const event of Object.keys(ACCEPTED)) {
    const { stdout = "{}" } = refusal(DIALECTS.codex, event) ?? {};
    expect(ACCEPTED[event]?.safeParse(JSON.parse(stdout)).error).toBeUndefined();
  }
});
