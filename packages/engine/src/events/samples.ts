/** One plausible input per event: `hookline fire <event>` uses it by default. */
const request = {
  model: "sample-model",
  messages: [{ role: "user", content: "Add a retry to the upload" }],
  config: { temperature: 0.2 },
  tools: [{ name: "read_file" }, { name: "write_file" }, { name: "run_shell_command" }],
};

const call = {
  tool_name: "write_file",
  tool_input: { file_path: "src/upload.ts", content: "export const retries = 3;\n" },
  tool_call_id: "sample-call",
};

const caller = { source: "manual_cli", triggered_by: "hookline fire" };

export const SAMPLES = {
  SessionStart: { source: "startup", trigger: "Startup" },
  SessionEnd: { reason: "exit" },
  BeforeAgent: { prompt: "Add a retry to the upload" },
  AfterAgent: {
    prompt: "Add a retry to the upload",
    prompt_response: "Done: it now tries three times.",
    stop_hook_active: false,
  },
  BeforeModel: { llm_request: request },
  BeforeToolSelection: { llm_request: request },
  AfterModel: {
    llm_request: request,
    llm_response: {
      text: "I will write src/upload.ts.",
      candidates: [{ content: { role: "model", parts: ["I will write src/upload.ts."] }, finishReason: "STOP" }],
    },
  },
  BeforeTool: call,
  AfterTool: { ...call, tool_response: { llmContent: "Wrote src/upload.ts", returnDisplay: "Wrote src/upload.ts" } },
  Notification: {
    notification_type: "ToolPermission",
    message: "Tool write_file requires editing",
    details: {
      type: "edit",
      title: "Write src/upload.ts",
      filePath: "src/upload.ts",
      fileName: "upload.ts",
      fileDiff: "--- src/upload.ts\n+++ src/upload.ts\n@@ -0,0 +1 @@\n+export {};\n",
      originalContent: null,
      newContent: "export {};\n",
    },
  },
  PreCompress: { trigger: "auto" },
  PromptSubmit: { user_raw_input: "Add a retry to the upload", current_files: ["src/upload.ts"] },
  PreAbilityCreate: { ability_ref: { kind: "ability_id", value: "edit_file" }, environment: "dev", caller },
  PreAbilityCall: { ability_id: "edit_file", args_summary: '{"file_path":"src/upload.ts"}', caller },
  PostAbilityCall: { ability_id: "edit_file", status: "success", duration_ms: 120 },
  SessionStop: { changed_files: ["src/upload.ts"], abilities_used: ["edit_file"] },
} as const;
