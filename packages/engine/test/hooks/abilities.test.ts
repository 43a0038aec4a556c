import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { collectHookSignals } from "../../src/hooks/hookRunResult.ts";
import { action, temporaryFolder, testSystem } from "../support/system.ts";

const CALLER = { source: "manual_cli" } as const;
const guard = (code: string, payload: unknown = { reason: "because" }) => ({ kind: "ability_guard", code, payload });

/** A project with YAML hooks, one per name. */
async function yamlProject(hooks: Record<string, string>) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(dir, ".system", "hooks"), { recursive: true });
  for (const [id, text] of Object.entries(hooks)) {
    writeFileSync(join(dir, ".system", "hooks", `${id}.yaml`), `id: ${id}\nenabled: true\n${text}`);
  }
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), trust: "all" });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return { system, handler: system.getEventHandler() };
}

describe("signals", () => {
  test.each([
    ["ABILITY_ALLOWED", {}, "allow"],
    ["ABILITY_DENIED", { reason: "because" }, "block"],
    ["ABILITY_REQUIRES_HUMAN", { reason: "because" }, "ask"],
    ["ABILITY_DENIED", { reason: "because", require_human: true }, "ask"],
  ])("%s with %o means %s", async (code, payload, decision) => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("g", () => ({ hook_signals: [guard(code, payload)] })),
      "PreAbilityCall",
    );
    const { finalOutput } = await handler.firePreAbilityCallEvent({ ability_id: "deploy", caller: CALLER });
    expect(finalOutput?.decision).toBe(decision);
    expect(finalOutput?.getSignals()).toEqual([
      { source_event: "PreAbilityCall", hook_id: "g", kind: "ability_guard", code, payload },
    ]);
  });

  test("name the hook that really sent them, whatever it claims, and a bad severity does not lose a denial", async () => {
    const { system, handler } = await testSystem();
    const signal = { ...guard("ABILITY_DENIED"), hook_id: "somebody_else", source_event: "X", severity: "fatal" };
    system.registerHook(
      action("g", () => ({ hook_signals: [signal] })),
      "PreAbilityCall",
    );
    const { finalOutput } = await handler.firePreAbilityCallEvent({ ability_id: "deploy", caller: CALLER });
    expect(finalOutput).toMatchObject({
      decision: "block",
      reason: "because",
      hook_signals: [{ hook_id: "g", source_event: "PreAbilityCall" }],
    });
  });

  test("of the wrong kind or code are dropped and said; on infra events they are misconfiguration", async () => {
    const { system, handler, recorded } = await testSystem();
    const signals = [guard("ABILITY_DENIED"), { kind: "routing_hint" }, 7];
    system.registerHook(
      action("p", () => ({ hook_signals: signals })),
      "PromptSubmit",
    );
    system.registerHook(
      action("i", () => ({ hook_signals: signals }), { blocking: true }),
      "SessionStop",
    );
    expect((await handler.firePromptSubmitEvent({ user_raw_input: "hi" })).finalOutput?.getSignals()).toEqual([]);
    await handler.fireSessionStopEvent({});
    expect(recorded("hookEnded").map(({ notes }) => notes)).toEqual([
      [
        expect.stringContaining('"ability_guard"'),
        "a signal needs a kind and a code",
        "a signal needs a kind and a code",
      ],
      [expect.stringMatching(/^misconfigured: 3 hook_signals/)],
    ]);
  });

  test("stand in for a block without one, so that the AI sees what it means", async () => {
    const { handler } = await yamlProject({
      closed:
        "event_type: PreAbilityCreate\nblocking: true\nhandler: { kind: script, command: 'exit 1' }\non_failure: fail\n",
    });
    const { finalOutput } = await handler.firePreAbilityCreateEvent({
      ability_ref: { kind: "ability_id", value: "deploy" },
      caller: CALLER,
    });
    expect(finalOutput).toMatchObject({
      decision: "block",
      hook_signals: [{ kind: "ability_preflight", code: "ABILITY_UNAVAILABLE", hook_id: "closed" }],
    });
  });

  test("an answer with error is a failure; on_failure decides", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("g", () => ({ error: { code: "E1", message: "no registry" } }), { onError: "block" }),
      "PreAbilityCall",
    );
    const result = await handler.firePreAbilityCallEvent({ ability_id: "deploy", caller: CALLER });
    expect(result).toMatchObject({ success: false, finalOutput: { decision: "block" } });
    expect(result.errors[0]?.message).toContain("E1: no registry");
  });

  test("a decision of the other vocabulary is an objection here too", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("g", () => ({ decision: "deny", reason: "no" })),
      "PreAbilityCall",
    );
    const { finalOutput } = await handler.firePreAbilityCallEvent({ ability_id: "deploy", caller: CALLER });
    expect(finalOutput).toMatchObject({
      decision: "block",
      reason: "no",
      hook_signals: [{ code: "ABILITY_DENIED", payload: { reason: "no" } }],
    });
  });
});

describe("YAML matches", () => {
  test("ability_scope is a glob over ids, aliases and operation keys; the hook sees the name it hit", async () => {
    const echo = "handler: { kind: script, command: 'cat' }\n";
    const { system } = await yamlProject({
      all: `event_type: PreAbilityCall\nmatch: { ability_scope: "*" }\n${echo}`,
      edits: `event_type: PreAbilityCall\nmatch: { ability_scope: "edit_file" }\n${echo}`,
      db: `event_type: PreAbilityCall\nmatch: { ability_scope: ["db.*", "cache.*"] }\n${echo}`,
    });
    const seen = (subject: string, aliases?: string[]) =>
      system
        .getPlanner()
        .createExecutionPlan("PreAbilityCall", { subject, aliases })
        ?.hooks.map(({ entry, subject: name }) => `${entry.config.name}@${name}`);
    expect(seen("replace")).toEqual(["all@replace", "edits@edit_file"]);
    expect(seen("user_row", ["db.write"])).toEqual(["all@user_row", "db@db.write"]);
    expect(seen("other")).toEqual(["all@other"]);
  });

  test("min_duration_ms and only_if_changed_paths look at the event", async () => {
    const { system } = await yamlProject({
      slow: "event_type: PostAbilityCall\nmatch: { min_duration_ms: 100 }\nhandler: { kind: script, command: 'cat' }\n",
      built:
        'event_type: SessionStop\nmatch: { only_if_changed_paths: ["services/**"] }\nhandler: { kind: script, command: "cat" }\n',
    });
    const plan = (eventName: string, fields: Record<string, unknown>) =>
      system.getPlanner().createExecutionPlan(eventName, { subject: "x", fields })?.hooks.length ?? 0;
    expect(plan("PostAbilityCall", { duration_ms: 99 })).toBe(0);
    expect(plan("PostAbilityCall", { duration_ms: 100 })).toBe(1);
    expect(plan("SessionStop", { changed_files: ["docs/a.md"] })).toBe(0);
    expect(plan("SessionStop", { changed_files: ["docs/a.md", "services/api/.env"] })).toBe(1);
    expect(plan("SessionStop", {})).toBe(1); // it is not known what changed
    expect(system.getPlanner().explainMisses("SessionStop", { fields: { changed_files: [] } })).toMatchObject([
      { reason: "no changed path matches services/**" },
    ]);
  });
});

describe("runHooks", () => {
  test("returns each hook's result; with blockingOnly it does not wait for the others", async () => {
    const { system } = await testSystem();
    let finished = 0;
    const hint = { kind: "routing_hint", code: "ROUTE_SUGGESTION", payload: { suggested_abilities: [] } };
    system.registerHook(
      action("router", () => ({ hook_signals: [hint], logs: ["routed"] })),
      "PromptSubmit",
    );
    system.registerHook(
      action(
        "tracker",
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          finished += 1;
        },
        { blocking: false },
      ),
      "PromptSubmit",
    );
    const context = { user_raw_input: "hi" };
    const blocking = await system.runHooks("PromptSubmit", context, { blockingOnly: true });
    expect(finished).toBe(0);
    expect(blocking).toMatchObject([{ hook_id: "router", status: "success", logs: ["routed"] }]);
    expect(collectHookSignals(blocking)).toMatchObject([{ kind: "routing_hint", hook_id: "router" }]);
    await system.settle();
    const all = await system.runHooks("PromptSubmit", context);
    expect(finished).toBe(2);
    expect(all.map(({ hook_id }) => hook_id)).toEqual(["router", "tracker"]);
  });
});
