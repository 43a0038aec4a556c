import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentProject } from "../support/agentProject.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/ability-repo", import.meta.url));
const SUMMARY = ".system/logs/session_summary.md";
const USAGE = ".system/cache/ability_usage.json";
const FLAG = { file: "config/prod.json", flag: "newsletter", enabled: true };

const answer = z.looseObject({});

/** A copy of the example, as a person would make it: a git repository with everything committed. */
class AbilityRepo extends AgentProject {
  constructor() {
    super();
    // Somebody may have tried the example where it is.
    const filter = (file: string) => !/\.system\/(cache|logs)$|\.hookline$|ability-repo\/var$/.test(file);
    cpSync(EXAMPLE, this.machine.project, { recursive: true, filter });
    for (const words of [
      ["init", "--quiet"],
      ["add", "--all"],
      ["commit", "--quiet", "-m", "as it was"],
    ])
      this.git(words);
  }

  git(words: readonly string[]): string {
    const who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    const env = this.machine.env();
    return execFileSync("git", [...who, ...words], { cwd: this.machine.project, env, encoding: "utf8" });
  }

  /** The program with `--json`, read. */
  async json(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const trusting = { HOOKLINE_TRUST_PROJECT: "1", ...env };
    // What only a person may do is done at a terminal.
    const { code, stdout, stderr } = await (args[1] === "approve"
      ? this.machine.run([...args, "--json"], { env: this.machine.env(trusting) })
      : this.machine.cli([...args, "--json"], { env: trusting }));
    try {
      return { code, said: answer.parse(JSON.parse(stdout)) };
    } catch (cause) {
      throw new Error(`No JSON, exit ${code}: ${stdout}\n${stderr}`, { cause });
    }
  }

  async created(ability: string, input: object, ...args: string[]): Promise<string> {
    const { said } = await this.json(["task", "create", ability, "--input", JSON.stringify(input), ...args]);
    return z.string({ error: JSON.stringify(said) }).parse(said.task_key);
  }

  usage() {
    return z.record(z.string(), z.looseObject({ calls: z.number() })).parse(JSON.parse(this.file(USAGE)));
  }
}

describe.skipIf(!hasProgram("python3") || !hasProgram("git"))(
  "the example of a repository with abilities",
  { timeout: 240_000 },
  () => {
    describe("through the program", () => {
      test("a task is created by operation key and run, its row is written, and the call is counted", async () => {
        const repo = new AbilityRepo();
        const key = await repo.created("db.write.user_row", { email: "kim@example.org" }, "--env", "staging");
        expect(await repo.json(["task", "run", key])).toMatchObject({
          code: 0,
          said: { task_key: key, status: "success", changed_files: ["var/staging/users.jsonl"] },
        });
        expect(repo.file("var/staging/users.jsonl")).toBe('{"email":"kim@example.org","name":""}\n');
        expect(repo.usage()).toMatchObject({ db_write_user_row: { calls: 1, success: 1 } });
        // Neither tasks nor caches get into the repository.
        expect(repo.git(["status", "--porcelain"])).toBe("");
      });

      test("where it is not available there is no task: by its own declaration, and by the hook", async () => {
        const repo = new AbilityRepo();
        const refused = (...args: string[]) => repo.json(["task", "create", ...args]);
        expect(await refused("db_write_user_row", "--input", '{"email":"a@b.c"}', "--env", "prod")).toMatchObject({
          code: 2,
          said: { status: "unavailable", hooks: [], reason: expect.stringContaining("dev, staging only") },
        });
        const byHook = { status: "unavailable", hooks: ["nonprod_availability_check"] };
        expect(await refused("signup_e2e_test", "--env", "prod")).toMatchObject({
          code: 2,
          said: { ...byHook, reason: "Operation is not enabled in prod.", code: "ABILITY_UNAVAILABLE" },
        });
        expect(await refused("signup_e2e_test", "--env", "qa")).toMatchObject({
          code: 2,
          said: { ...byHook, reason: "There is no config/qa.json." },
        });
        expect((await repo.json(["task", "list"])).said).toEqual({ tasks: [], total: 0 });
      });

      test("config of production waits for a person, whoever calls, and changes after an approval", async () => {
        const repo = new AbilityRepo();
        const flag = ["ability", "run", "config.set.flag", "--input", JSON.stringify(FLAG)];
        const ci = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "7" };
        expect(await repo.json(flag, ci)).toMatchObject({
          code: 3,
          said: {
            status: "awaiting_human",
            hooks: ["prod_config_guard"],
            reason: "config/prod.json is config of production; ci_pipeline may not change it without a person.",
          },
        });
        const key = await repo.created("feature_flag_set", FLAG, "--env", "prod");
        expect(await repo.json(["task", "run", key], ci)).toMatchObject({
          code: 3,
          said: { status: "awaiting_human" },
        });
        expect(repo.git(["status", "--porcelain"])).toBe("");
        await repo.json(["task", "approve", key]);
        expect(await repo.json(["task", "run", key], ci)).toMatchObject({ code: 0, said: { status: "success" } });
        expect(JSON.parse(repo.file("config/prod.json"))).toMatchObject({ flags: { newsletter: true } });
        // What was not run was not counted.
        expect(repo.usage()).toMatchObject({ feature_flag_set: { calls: 1 } });
      });

      test("the end-to-end test finds out that the form is broken, and says what", async () => {
        const repo = new AbilityRepo();
        const full = ["ability", "run", "signup_e2e_test", "--env", "staging", "--input", '{"suite":"full"}'];
        expect(await repo.json(full)).toMatchObject({ code: 0, said: { status: "success", output: { passed: 4 } } });
        const service = "services/accounts/src/signup.js";
        repo.machine.write({ [`project/${service}`]: repo.file(service).replace("< 12", "< 2") });
        expect(await repo.json(full)).toMatchObject({
          code: 1,
          said: { status: "failure", output: { passed: 3, failed: ["a short password"] } },
        });
        expect(repo.usage()).toMatchObject({ signup_e2e_test: { calls: 2, success: 1, failure: 1 } });
      });

      test("a flag that is not there is a failure, and release notes are plain text", async () => {
        const repo = new AbilityRepo();
        const input = { ...FLAG, file: "config/dev.json", flag: "nothing" };
        const flag = await repo.json(["ability", "run", "feature_flag_set", "--input", JSON.stringify(input)]);
        expect(flag).toMatchObject({ code: 1, said: { error: expect.stringContaining("it has: newsletter") } });
        const { said } = await repo.json(["ability", "run", "release_notes", "--input", '{"title":"May"}']);
        expect(said.output).toMatch(/^# May\n\n- Sign-ups .*\n- The newsletter /);
      });

      test("everything is as `validate --strict` wants it", async () => {
        const repo = new AbilityRepo();
        const { code, stdout } = await repo.machine.cli(["validate", "--strict"]);
        expect({ code, stdout }).toEqual({ code: 0, stdout: "✓ 5 hooks, 4 abilities in 9 files, no problems\n" });
      });
    });

    test("through the agent: it is routed, refused, let through, stopped, counted and checked", async () => {
      const repo = new AbilityRepo();
      const task_key = await repo.created("db.write.user_row", { email: "lee@example.org" }, "--env", "dev");
      const service = "services/accounts/src/signup.js";
      const run = await repo.run({
        prompt: "Run the signup regression",
        output: "stream-json",
        answers: [
          calls("create_task", { ability: "signup_e2e_test", environment: "prod" }),
          calls("run_task", { task_key }),
          calls("replace", {
            file_path: "config/prod.json",
            old_string: '"maxPerHour": 20',
            new_string: '"maxPerHour": 9',
          }),
          callsAll([
            { name: "replace", args: { file_path: service, old_string: "< 12", new_string: "< 2" } },
            { name: "run_shell_command", args: { command: "echo '// seen' >> apps/web/src/signupForm.js" } },
          ]),
          says("Done."),
        ],
      });
      expect(run.code).toBe(0);

      const [control] = run.events.filter(({ type }) => type === "control");
      expect(control).toMatchObject({
        turn_ready: true,
        hook_signals: [
          {
            hook_id: "prompt_router",
            kind: "routing_hint",
            code: "ROUTE_SUGGESTION",
            payload: {
              suggested_abilities: [{ id: "signup_e2e_test", confidence: 0.9 }],
              suggested_documents: [{ path: "docs/accounts.md" }, { path: "integration/ROUTING.md" }],
            },
          },
          { kind: "normalized_intent", payload: { scope: "services/accounts", topic: "signup", stage: "verify" } },
        ],
      });
      expect(run.modelSaw(1)).toEqual([
        `user: Run the signup regression\n\n<hook_context>${JSON.stringify(control)}</hook_context>`,
      ]);

      const told = (nth: number) => run.modelSaw(nth).at(-1) ?? "";
      expect(told(2)).toMatch(/^create_task failed: \{"status":"unavailable","code":"ABILITY_UNAVAILABLE"/);
      expect(told(2)).toContain('"suggestion":"Switch to staging or dev');
      expect(told(3)).toMatch(/^run_task returned: .*"status":"success"/);
      expect(repo.file("var/dev/users.jsonl")).toContain("lee@example.org");
      expect(told(4)).toMatch(/^replace failed: Tool call not approved: config\/prod.json is config of production/);
      expect(repo.git(["status", "--porcelain", "config"])).toBe("");

      const uses = Object.entries(repo.usage()).map(([id, { calls }]) => [id, calls]);
      expect(Object.fromEntries(uses)).toEqual({ db_write_user_row: 1, replace: 1, run_shell_command: 1 });

      const summary = repo.file(SUMMARY);
      for (const line of [
        `- ${service}`,
        "- apps/web/src/signupForm.js", // changed by a shell command
        "- var/dev/users.jsonl", // changed by an ability
        `- db_write_user_row (${task_key}): success`,
        "- apps/web: passed",
        "- services/accounts: FAILED, run `sh services/accounts/check.sh`",
      ]) {
        expect(summary.split("\n")).toContain(line);
      }
      expect(summary).toContain("a short password is refused");
      expect(summary).toMatch(/## Abilities used\n\n- db_write_user_row\n- replace\n- run_shell_command\n/);
    });

    test("through the agent: a session that changed no component is not checked", async () => {
      const repo = new AbilityRepo();
      const run = await repo.run({
        answers: [calls("write_file", { file_path: "docs/new.md", content: "New." }), says("Done.")],
      });
      expect(run.code).toBe(0);
      expect(repo.usage()).toMatchObject({ write_file: { calls: 1 } });
      expect(run.has(SUMMARY)).toBe(false);
    });
  },
);
