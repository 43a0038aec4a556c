import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../../../test/repository.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { hasProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/system.ts";

/** A copy of an example, as a person would make it, with a system that runs its hooks and nobody else's. */
async function copyOf(name: string, changes: Readonly<Record<string, string>> = {}) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  // Somebody may have tried the example where it is.
  cpSync(join(ROOT, "examples", name), dir, {
    recursive: true,
    filter: (file) => !/\.hookline\/(log|sessions)$/.test(file),
  });
  for (const [file, text] of Object.entries(changes)) writeFileSync(join(dir, file), text);
  mkdirSync(join(dir, "node_modules/@hookline"), { recursive: true });
  symlinkSync(join(ROOT, "packages/engine"), join(dir, "node_modules/@hookline/engine"));
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), trust: "all" });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return { dir, system, handler: system.getEventHandler() };
}

const shell = (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } });
const write = (file_path: string, content = "a\n") => ({
  tool_name: "write_file",
  tool_input: { file_path, content },
});

const LOADABLE = [
  "guardrails",
  "demo",
  "embed",
  "plugin",
  "http",
  "worker-node",
  ...(hasProgram("python3") ? ["worker-python", "ability-repo"] : []),
];

test.each(LOADABLE)("%s loads without a problem", async (name) => {
  const { system } = await copyOf(name);
  const { problems, totalHooks, enabledHooks } = system.getStatus();
  expect(problems).toEqual([]);
  expect(enabledHooks).toBe(totalHooks);
});

describe("guardrails", () => {
  test.each(["config/app.json", "./config/app.json", "/srv/config/app.json", "src/../config/app.json"])(
    "protect-config blocks an edit of %s",
    async (file) => {
      const { handler } = await copyOf("guardrails");
      const edit = { tool_name: "replace", tool_input: { file_path: file, old_string: "1", new_string: '"2"' } };
      const { finalOutput, success } = await handler.fireBeforeToolEvent(edit);
      expect(success).toBe(true);
      expect(finalOutput).toMatchObject({ decision: "block", reason: expect.stringContaining(`${file} is changed`) });
    },
  );

  test("protect-config lets other files pass, whatever stands in them", async () => {
    const { handler } = await copyOf("guardrails");
    const content = 'see "file_path":"config/app.json"\n';
    const { finalOutput, success } = await handler.fireBeforeToolEvent(write("src/config.ts", content));
    expect({ success, finalOutput }).toEqual({ success: true, finalOutput: undefined });
  });

  test.each([
    ["git push --force origin main", "block"],
    ["git -C lib push -f", "block"],
    ["cd lib && git push origin +main", "block"],
    ["git push --force-with-lease", "allow"],
    ["git push origin feature-f", "allow"],
    ["rm -rf build", "ask"],
    ["cd lib && sudo rm x", "ask"],
    ["npm run form", "allow"],
    ["git push --force && rm -rf .git", "block"],
  ])("%s means %s", async (command, decision) => {
    const { handler } = await copyOf("guardrails");
    const { finalOutput, success } = await handler.fireBeforeToolEvent(shell(command));
    expect({ success, decision: finalOutput?.decision ?? "allow" }).toEqual({ success: true, decision });
  });

  test("no-force-push blocks when it fails", async () => {
    const { handler } = await copyOf("guardrails", {
      ".hookline/hooks/no-force-push.mjs": "throw new Error('broken');",
    });
    const { finalOutput, success } = await handler.fireBeforeToolEvent(shell("ls"));
    expect(success).toBe(false);
    expect(finalOutput).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("set to block on failure"),
    });
  });

  test("trim-trailing-space rewrites the content and nothing else", async () => {
    const { handler } = await copyOf("guardrails");
    const { finalOutput } = await handler.fireBeforeToolEvent(write("src/a.ts", "let a;  \n\tb\t\n"));
    expect(finalOutput?.getModifiedToolInput()).toEqual({ file_path: "src/a.ts", content: "let a;\n\tb\n" });
    expect((await handler.fireBeforeToolEvent(write("a.md", "two  \n"))).finalOutput).toBeUndefined();
  });

  test("project-facts adds its text to the session", async () => {
    const { handler, dir } = await copyOf("guardrails");
    const { finalOutput } = await handler.fireSessionStartEvent({ source: "startup" });
    expect(finalOutput?.getAdditionalContext()).toBe(readFileSync(join(dir, ".hookline/facts.md"), "utf8").trim());
  });

  test("log-tools writes every call down and changes nothing", async () => {
    const { handler, dir } = await copyOf("guardrails");
    for (const _ of [1, 2]) {
      const { finalOutput, success } = await handler.fire("AfterTool", EVENTS.AfterTool.sample);
      expect({ success, finalOutput }).toEqual({ success: true, finalOutput: undefined });
    }
    const lines = readFileSync(join(dir, ".hookline/log/tools.jsonl"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([EVENTS.AfterTool.sample, EVENTS.AfterTool.sample]);
  });
});

describe("demo", () => {
  test.each([
    ["config/production.json", "block"],
    ["./src/../config/production.json", "block"],
    ["production.json", "block"],
    ["config/reproduction.json", "allow"],
    ["src/shipping.js", "allow"],
  ])("protect-production: an edit of %s means %s", async (file, decision) => {
    const { handler } = await copyOf("demo");
    const content = 'see "file_path":"config/production.json"';
    const { finalOutput, success } = await handler.fireBeforeToolEvent(write(file, content));
    expect({ success, decision: finalOutput?.decision ?? "allow" }).toEqual({ success: true, decision });
  });

  test.each([
    ["node scripts/deploy.mjs", "node scripts/deploy.mjs --dry-run"],
    ["node scripts/deploy.mjs --dry-run", undefined],
    ["node scripts/deploy.mjs && echo --dry-run", "node scripts/deploy.mjs --dry-run && echo --dry-run"],
    ["node --test", undefined],
  ])("dry-run-first: %s becomes %s", async (command, becomes) => {
    const { handler } = await copyOf("demo");
    const { finalOutput } = await handler.fireBeforeToolEvent(shell(command));
    expect(finalOutput?.getModifiedToolInput()?.command).toBe(becomes);
  });

  const EDITED = call("replace", { file_path: "src/shipping.js" }, { output: "Replaced 1 occurrence." });
  const BLOCKED = call("replace", { file_path: "src/shipping.js" }, { error: "Tool call blocked by hook: no" });
  const TESTED = call("run_shell_command", { command: "node --test" }, { output: "ok" });
  const FAILED = call("run_shell_command", { command: "node --test" }, { output: "not ok\nExit code: 1" });

  test.each([
    ["nothing was done", "allow", []],
    ["a file was edited", "block", [EDITED]],
    ["an edit was blocked", "allow", [BLOCKED]],
    ["a file was edited and the tests passed", "allow", [EDITED, TESTED]],
    ["a file was edited and the tests failed", "block", [EDITED, FAILED]],
    ["the tests passed, then a file was edited", "block", [TESTED, EDITED]],
  ])("run-the-tests: that %s means %s", async (_, decision, calls) => {
    const { handler, dir } = await copyOf("demo");
    const transcript_path = join(dir, "transcript.jsonl");
    const lines = [
      { type: "session" },
      ...calls.flat().map((part) => ({ type: "message", content: { parts: [part] } })),
    ];
    writeFileSync(transcript_path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const input = { ...EVENTS.AfterAgent.sample, transcript_path };
    const { finalOutput, success } = await handler.fire("AfterAgent", input);
    expect({ success, decision: finalOutput?.decision ?? "allow" }).toEqual({ success: true, decision });
  });

  function call(name: string, args: object, response: object): object[] {
    return [{ functionCall: { name, args } }, { functionResponse: { name, response } }];
  }
});

describe("plugin", () => {
  test("no-keys denies what looks like a private key, and lets everything else pass", async () => {
    const { handler } = await copyOf("plugin");
    const key = "-----BEGIN RSA PRIVATE KEY-----";
    expect((await handler.fireBeforeToolEvent(write("id.pem", key))).finalOutput).toMatchObject({
      decision: "block",
      reason: "id.pem would get a private key.",
    });
    const result = await handler.fireBeforeToolEvent(write("a.txt"));
    expect({ success: result.success, finalOutput: result.finalOutput }).toEqual({ success: true });
  });

  test("three-strikes speaks up at the third failure in a row", async () => {
    const { handler } = await copyOf("plugin");
    const call = (error?: { message: string }) =>
      handler.fireAfterToolEvent({
        tool_name: "glob",
        tool_response: { llmContent: "", returnDisplay: "", ...(error ? { error } : {}) },
      });
    const contexts: unknown[] = [];
    for (const error of [{ message: "no" }, { message: "no" }, undefined, ...Array(3).fill({ message: "no" })]) {
      contexts.push((await call(error)).finalOutput?.getAdditionalContext());
    }
    expect(contexts.slice(0, 5)).toEqual(Array(5).fill(undefined));
    expect(contexts[5]).toContain("has failed 3 times in a row");
  });
});

describe("worker-node", () => {
  test("loop-guard denies the fourth identical call in a row, and only that", async () => {
    const { handler } = await copyOf("worker-node");
    const decisions = [];
    for (const command of ["ls", "ls", "ls", "ls", "pwd", "ls"]) {
      const { finalOutput, success } = await handler.fireBeforeToolEvent(shell(command));
      decisions.push({ success, decision: finalOutput?.decision ?? "none" });
    }
    const passed = { success: true, decision: "none" };
    expect(decisions).toEqual([passed, passed, passed, { success: true, decision: "block" }, passed, passed]);
  });
});

// What needs the Tool Runner or an agent is tested with the program.
describe.skipIf(!hasProgram("python3"))("ability-repo", { timeout: 60_000 }, () => {
  const caller = { source: "ai_session" } as const;

  test.each([
    ["Please run the signup regression", [], ["signup_e2e_test"], { topic: "signup", stage: "verify" }],
    ["fix the password check", [], ["signup_e2e_test"], { topic: "signup", stage: "fix" }],
    ["Write the release notes", [], ["release_notes"], { topic: "releases", stage: "build" }],
    ["Switch the newsletter flag on", [], ["feature_flag_set"], { topic: "flags", stage: "unknown" }],
    ["what next?", ["apps/web/src/signupForm.js"], [], { topic: "form", stage: "unknown", confidence: 0.37 }],
    ["hello", [], [], undefined],
    ["| signup | $(touch gone) \u0000 (a+)+$", [], ["signup_e2e_test"], { topic: "signup" }],
  ])("prompt_router: %s", async (user_raw_input, current_files, abilities, intent) => {
    const { handler } = await copyOf("ability-repo");
    const { finalOutput, success } = await handler.firePromptSubmitEvent({ user_raw_input, current_files });
    expect(success).toBe(true);
    const signals = finalOutput?.getSignals() ?? [];
    const [hint] = signals.filter(({ kind }) => kind === "routing_hint");
    const [normalized] = signals.filter(({ kind }) => kind === "normalized_intent");
    const suggested: unknown = Object(hint?.payload).suggested_abilities ?? [];
    expect(suggested).toMatchObject(abilities.map((id) => ({ id, confidence: expect.any(Number) })));
    if (intent) expect(normalized?.payload).toMatchObject(intent);
    else expect(signals).toEqual([]);
  });

  test.each([
    ["edit_file", { file_path: "config/prod.json" }, "ask"],
    ["edit_file", { file_path: "./src/../config/PROD.json" }, "ask"],
    ["replace", { file_path: "config/production/eu.json" }, "ask"],
    ["write_file", { file_path: "linked.json", content: "" }, "ask"],
    ["write_file", { file_path: `docs/${"a".repeat(3_000)}.md` }, "ask"],
    ["feature_flag_set", { file: "config/prod.json", flag: "newsletter", enabled: true }, "ask"],
    ["edit_file", { file_path: "config/prod.secrets.json" }, "block"],
    ["edit_file", { file_path: "config/staging.json" }, "allow"],
    ["edit_file", { file_path: "config/products.json" }, "allow"],
    ["write_file", { file_path: "docs/a.md", content: '"file_path":"config/prod.json"' }, "allow"],
    ["read_file", { file_path: "config/prod.json" }, "allow"],
  ])("prod_config_guard: %s of %j means %s", async (ability_id, args, decision) => {
    const { handler, dir } = await copyOf("ability-repo");
    symlinkSync("config/prod.json", join(dir, "linked.json"));
    const args_summary = JSON.stringify(args).replace(/a{3000}/, `${"a".repeat(300)}… (3005 characters)`);
    const { finalOutput, success } = await handler.firePreAbilityCallEvent({ ability_id, args_summary, caller });
    expect({ success, decision: finalOutput?.decision ?? "allow" }).toEqual({ success: true, decision });
  });

  test("prod_config_guard asks about what it cannot read, and blocks when it fails", async () => {
    const fire = async (changes: Readonly<Record<string, string>>) => {
      const { handler } = await copyOf("ability-repo", changes);
      const context = { ability_id: "edit_file", args_summary: '{"file_path":"docs/a', caller };
      return (await handler.firePreAbilityCallEvent(context)).finalOutput?.decision;
    };
    expect(await fire({})).toBe("ask");
    expect(await fire({ "scripts/hooks/prod_config_guard.py": "#!/usr/bin/env python3\nraise SystemExit(1)\n" })).toBe(
      "block",
    );
  });

  test.each([
    ["signup_e2e_test", "staging", "ABILITY_AVAILABLE", undefined],
    ["signup_e2e_test", "prod", "ABILITY_UNAVAILABLE", "Operation is not enabled in prod."],
    ["signup_e2e_test", "qa", "ABILITY_UNAVAILABLE", "There is no config/qa.json."],
    ["signup_e2e_test", "../config/dev", "ABILITY_UNAVAILABLE", "That is not the name of an environment."],
    ["signup_e2e_test", undefined, "ABILITY_UNAVAILABLE", "It is not said for which environment."],
    ["db.write.user_row", "dev", "ABILITY_UNAVAILABLE", "config/dev.json does not set database.users."],
    ["release_notes", undefined, "ABILITY_AVAILABLE", undefined],
    ["feature_flag_set", "prod", "ABILITY_AVAILABLE", undefined],
    ["something_new", "live", "ABILITY_UNAVAILABLE", "Operation is not enabled in live."],
  ])("nonprod_availability_check: %s in %s is %s", async (value, environment, code, reason) => {
    const { handler } = await copyOf("ability-repo", { "config/dev.json": '{ "signup": {}, "database": {} }' });
    const ability_ref = { kind: value.includes(".") ? "operation_key" : "ability_id", value } as const;
    const context = { ability_ref, caller, ...(environment === undefined ? {} : { environment }) };
    const { finalOutput, success } = await handler.firePreAbilityCreateEvent(context);
    expect(success).toBe(true);
    expect(finalOutput?.getSignals()).toMatchObject([
      { kind: "ability_preflight", code, payload: { ability_ref, ...(reason === undefined ? {} : { reason }) } },
    ]);
  });

  test("ability_usage_tracker loses no call when many come at once, notes slow ones, and puts a broken cache aside", async () => {
    const { handler, dir } = await copyOf("ability-repo");
    const cache = join(dir, ".system/cache/ability_usage.json");
    mkdirSync(join(dir, ".system/cache"));
    writeFileSync(cache, "{ half of");
    const call = (index: number) => ({
      ability_id: "release_notes",
      status: index === 0 ? ("failure" as const) : ("success" as const),
      duration_ms: index === 0 ? 5_000 : 10,
    });
    const fired = Array.from({ length: 16 }, (_, index) =>
      handler.firePostAbilityCallEvent(call(index), { waitForAll: true }),
    );
    for (const { success } of await Promise.all(fired)) expect(success).toBe(true);
    expect(JSON.parse(readFileSync(cache, "utf8"))).toMatchObject({
      release_notes: { calls: 16, success: 15, failure: 1, partial: 0, total_ms: 5_150, max_ms: 5_000 },
    });
    const slow = readFileSync(join(dir, ".system/logs/slow_abilities.log"), "utf8").trim().split("\n");
    expect(slow.map((line) => JSON.parse(line))).toMatchObject([{ ability_id: "release_notes", duration_ms: 5_000 }]);
    expect(readFileSync(join(dir, ".system/cache/ability_usage.broken.json"), "utf8")).toBe("{ half of");
  });

  test("session_stop_build_check checks the components that changed, and tells people what failed", async () => {
    const { handler, dir } = await copyOf("ability-repo", { "services/accounts/check.sh": "echo it broke; exit 1\n" });
    const fire = (changed_files: string[]) => handler.fireSessionStopEvent({ changed_files }, { waitForAll: true });
    expect((await fire(["README.md", "config/dev.json"])).results).toEqual([]);
    const odd = ["services/$(touch gone)/a.js", "services/../apps/web/b.js", "apps/web/c\n# d.js", "apps/new/e.js"];
    const { results } = await fire(["services/accounts/src/signup.js", ...odd]);
    expect(results).toMatchObject([
      { answer: { logs: ["3 changed components, 1 failed; see .system/logs/session_summary.md"] } },
    ]);
    const summary = readFileSync(join(dir, ".system/logs/session_summary.md"), "utf8");
    expect(summary).toContain("- apps/web/c?# d.js\n");
    expect(summary.split("## Checks\n\n")[1]).toBe(
      [
        "- apps/new: has no check.sh",
        "- apps/web: passed",
        "- services/accounts: FAILED, run `sh services/accounts/check.sh`",
        "      it broke\n",
      ].join("\n"),
    );
    expect(existsSync(join(dir, "gone"))).toBe(false);
  });
});

describe.skipIf(!hasProgram("python3"))("worker-python", () => {
  test.each([
    ["-----BEGIN RSA PRIVATE KEY-----\nabc", "block"],
    ["key = 'AKIAIOSFODNN7EXAMPLE'", "block"],
    [`token: ghp_${"a".repeat(36)}`, "block"],
    ["nothing to see here: AKIA", "none"],
  ])("secret-scan looks at what is written: %s", async (content, decision) => {
    const { handler } = await copyOf("worker-python");
    const { finalOutput, success } = await handler.fireBeforeToolEvent(write("notes.txt", content));
    expect({ success, decision: finalOutput?.decision ?? "none" }).toEqual({ success: true, decision });
  });

  test("brings the helper of this version", () => {
    const copy = readFileSync(join(ROOT, "examples/worker-python/.hookline/hooks/hookline_worker.py"), "utf8");
    expect(copy).toBe(readFileSync(join(ROOT, "packages/engine/src/worker/hookline_worker.py"), "utf8"));
  });
});
