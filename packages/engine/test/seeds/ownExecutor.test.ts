// "Code Flow", steps 4 and 7: a program that runs planned hooks by its own means, and merges what they answered.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  type AfterToolInput,
  type BeforeToolInput,
  type Config,
  DefaultHookOutput,
  HookAggregator,
  type HookConfig,
  HookEventName,
  type HookExecutionResult,
  type HookInput,
  type HookOutput,
  HookPlanner,
  HookRegistry,
  HookRunner,
} from "../../src/components/index.ts";
import { project, script, settings } from "./project.ts";

/** Step 4: one process, its input, its output, its exit code. */
async function executeSingleHook(hookConfig: HookConfig, input: HookInput, cwd: string): Promise<HookExecutionResult> {
  const startTime = performance.now();
  const facts = () => ({ hookConfig, eventName: input.hook_event_name, duration: performance.now() - startTime });
  try {
    if (hookConfig.command === undefined) throw new Error("only commands can be run");
    const child = spawn(hookConfig.command, [], { shell: true, stdio: ["pipe", "pipe", "pipe"], cwd });
    child.stdin.on("error", () => {}); // a hook need not read its input
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
    const ended = new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
    const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    let output: HookOutput | undefined;
    if (stdout.trim()) {
      try {
        output = JSON.parse(stdout);
      } catch {
        output = undefined;
      }
    }
    return { ...facts(), success: exitCode === 0, output, stdout, stderr, exitCode: exitCode ?? undefined };
  } catch (error) {
    return { ...facts(), success: false, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

const command = (path: string) => ({ type: "command", command: path, timeout: 60_000 });

async function planOf(config: Config, eventName: HookEventName, toolName: string) {
  const registry = new HookRegistry(config);
  await registry.initialize();
  return new HookPlanner(registry).createExecutionPlan(eventName, { toolName });
}

function baseInput(config: Config): Omit<HookInput, "hook_event_name"> {
  return {
    session_id: config.getSessionId(),
    transcript_path: config.getTranscriptPath(),
    cwd: config.getWorkingDir(),
    timestamp: new Date().toISOString(),
  };
}

describe("a hook that the program starts itself", () => {
  async function outcomeOf(body: string, file: string) {
    const { config, dir } = await project({
      ".hookline/settings.json": settings("BeforeTool", { matcher: "EditTool", hooks: [command("./hooks/check.sh")] }),
      "hooks/check.sh": script(body),
    });
    const plan = await planOf(config, "BeforeTool", "EditTool");
    const input: BeforeToolInput = {
      ...baseInput(config),
      hook_event_name: "BeforeTool",
      tool_name: "EditTool",
      tool_input: { file_path: file },
    };
    const results = await Promise.all((plan?.hookConfigs ?? []).map((one) => executeSingleHook(one, input, dir)));
    return { results, merged: new HookAggregator().aggregateResults(results, HookEventName.BeforeTool) };
  }

  test("is heard like one that the runner started", async () => {
    const body = `if (input.tool_input.file_path === "/etc/hosts") return { decision: "block", reason: "protected" };
      return {};`;
    const { results, merged } = await outcomeOf(body, "/etc/hosts");
    expect(results).toMatchObject([
      { success: true, exitCode: 0, stderr: "", output: { decision: "block", reason: "protected" } },
    ]);
    expect(merged.finalOutput?.isBlockingDecision()).toBe(true);
    expect(merged.finalOutput?.getEffectiveReason()).toBe("protected");
    const other = await outcomeOf(body, "config.json");
    expect(other.merged.finalOutput?.isBlockingDecision() ?? false).toBe(false);
  });

  test("blocks by exit code 2, though its success is false and it printed no JSON", async () => {
    const { results, merged } = await outcomeOf(`console.error("not that file"); process.exit(2);`, "a");
    expect(results).toMatchObject([{ success: false, exitCode: 2, output: undefined }]);
    expect(merged).toMatchObject({ success: true, finalOutput: { decision: "block", reason: "not that file" } });
  });

  test("is a failure with any other exit code", async () => {
    const { merged } = await outcomeOf("process.exit(3);", "a");
    expect(merged).toMatchObject({ success: false, errors: [{ code: "HOOK_FAILED" }] });
    expect(merged.finalOutput?.isBlockingDecision() ?? false).toBe(false);
  });

  test("that is not a command is a failure, too", async () => {
    const input = { hook_event_name: "BeforeTool", session_id: "s", transcript_path: "", cwd: "/", timestamp: "" };
    const failed = await executeSingleHook({ type: "plugin", module: "./a.mjs" }, input, "/");
    expect(new HookAggregator().aggregateResults([failed], "BeforeTool")).toMatchObject({
      success: false,
      errors: [{ message: expect.stringContaining("only commands can be run") }],
    });
  });
});

describe("after a tool, by hand", () => {
  /** Step 7. */
  async function executeAfterToolHooks(
    config: Config,
    request: { readonly tool_name: string; readonly arguments: Readonly<Record<string, unknown>> },
    response: { readonly result: Readonly<Record<string, unknown>> },
  ): Promise<DefaultHookOutput> {
    const plan = await planOf(config, "AfterTool", request.tool_name);
    if (!plan) return new DefaultHookOutput({});
    const hookInput: AfterToolInput = {
      ...baseInput(config),
      hook_event_name: "AfterTool",
      tool_name: request.tool_name,
      tool_input: { ...request.arguments },
      tool_response: response.result,
    };
    const runner = new HookRunner(config);
    const results: HookExecutionResult[] = plan.sequential
      ? await runner.executeHooksSequential(plan.hookConfigs, plan.eventName, hookInput)
      : await runner.executeHooksParallel(plan.hookConfigs, plan.eventName, hookInput);
    return new HookAggregator().aggregateResults(results, plan.eventName).finalOutput ?? new DefaultHookOutput({});
  }

  const note = `return { hookSpecificOutput: { additionalContext: input.tool_name + ": " + input.tool_response.llmContent } };`;
  const CALL = { tool_name: "EditTool", arguments: { file_path: "config.json" } };
  const RESPONSE = { result: { llmContent: "Replaced 1 occurrence" } };

  test.each([true, false])(
    "the result of the tool is shown to hooks, and their context comes back; sequential: %s",
    async (sequential) => {
      const { config } = await project({
        ".hookline/settings.json": settings("AfterTool", {
          matcher: "EditTool",
          sequential,
          hooks: [command("./hooks/note.sh")],
        }),
        "hooks/note.sh": script(note),
      });
      const output = await executeAfterToolHooks(config, CALL, RESPONSE);
      expect(output.getAdditionalContext()).toBe("EditTool: Replaced 1 occurrence");
      const other = await executeAfterToolHooks(config, { ...CALL, tool_name: "ReadFileTool" }, RESPONSE);
      expect(other).toEqual(new DefaultHookOutput({}));
    },
  );
});
