import { expect, test } from "vitest";
import { z } from "zod";
import { EVENTS, HookEventName } from "../../src/events/catalog.ts";
import type { EventSpec } from "../../src/events/eventSpec.ts";
import { MERGES } from "../../src/hooks/merge/index.ts";
import { action, testSystem } from "../support/system.ts";

declare module "../../src/events/inputs.ts" {
  interface CustomEvents {
    BeforeDeploy: true;
  }
}

const rows: [string, EventSpec][] = Object.entries(EVENTS);

test("exactly Notification, PostAbilityCall and SessionStop face the infrastructure", () => {
  const infra = rows.filter(([, spec]) => spec.facing === "infra").map(([name]) => name);
  expect(infra.sort()).toEqual(["Notification", "PostAbilityCall", "SessionStop"]);
});

test.each(rows)("the sample input of %s is a valid input", (_name, spec) => {
  expect(spec.input.safeParse(spec.sample).error).toBeUndefined();
});

test.each(rows)("what %s rewrites is honoured and part of its input", (_name, spec) => {
  for (const { field } of spec.rewrites) {
    expect(spec.honours).toContain(field);
    expect(Object.keys(spec.input.shape)).toContain(field);
  }
});

test.each(rows)("%s can be written as JSON Schema", (_name, spec) => {
  expect(z.toJSONSchema(spec.input, { io: "input" })).toMatchObject({ type: "object" });
  expect(z.toJSONSchema(spec.answer, { io: "input" })).toMatchObject({ type: "object" });
  expect(MERGES[spec.merge]).toBeTypeOf("function");
});

test("names are available as values", () => {
  expect(HookEventName.BeforeTool).toBe("BeforeTool");
  expect(Object.keys(HookEventName)).toEqual(Object.keys(EVENTS));
});

test("a row that is added is an event: it validates, matches, fires, merges and rewrites with no other edit", async () => {
  const BeforeDeploy: EventSpec = {
    ...EVENTS.BeforeTool,
    fires: "before something is deployed",
    subject: { field: "target", kind: "trigger" },
    input: z.looseObject({ target: z.string(), plan: z.record(z.string(), z.unknown()) }),
    honours: ["plan"],
    rewrites: [{ field: "plan", type: "object", how: "merge" }],
    output: "default",
    sample: { target: "staging", plan: {} },
  };
  const { system, handler } = await testSystem({}, { catalog: { ...EVENTS, BeforeDeploy } });
  system.registerHook(
    action("canary", () => ({ hookSpecificOutput: { plan: { canary: true } } })),
    "BeforeDeploy",
    { matcher: "prod" },
  );
  system.registerHook(
    action("freeze", ({ plan }) =>
      JSON.stringify(plan).includes("canary") ? {} : { decision: "ask", reason: "sure?" },
    ),
    "BeforeDeploy",
  );

  const result = await handler.fire("BeforeDeploy", { target: "PROD", plan: { version: 2 } });

  expect(result.finalOutput).toEqual({
    decision: "ask",
    reason: "sure?",
    hookSpecificOutput: { plan: { version: 2, canary: true } },
  });
  expect(await handler.fire("BeforeDeploy", { target: 7 })).toMatchObject({
    success: false,
    errors: [{ code: "INPUT_INVALID" }],
  });
  expect("fireBeforeDeployEvent" in handler).toBe(true);
});
