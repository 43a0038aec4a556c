import { z } from "zod";

const caller = z.looseObject({
  source: z.enum(["ai_session", "background_job", "ci_pipeline", "manual_cli"]),
  session_id: z.string().optional(),
  job_id: z.string().optional(),
  triggered_by: z.string().optional(),
});

const taskStatus = z.enum(["success", "failure", "partial"]);

export const promptSubmit = z.object({
  user_raw_input: z.string(),
  current_files: z.array(z.string()).optional(),
});

export const preAbilityCreate = z.object({
  ability_ref: z.looseObject({ kind: z.enum(["ability_id", "operation_key"]), value: z.string().min(1) }),
  input_summary: z.string().optional(),
  environment: z.string().optional().describe("dev, staging, prod, …, if known"),
  caller,
});

export const preAbilityCall = z.object({
  ability_id: z.string().min(1),
  task_key: z.string().optional().describe("present in task-based runs"),
  args_summary: z.string().optional(),
  caller,
});

export const postAbilityCall = z.object({
  ability_id: z.string().min(1),
  task_key: z.string().optional(),
  status: taskStatus,
  duration_ms: z.number().optional(),
  input_summary: z.string().optional(),
  output_summary: z.string().optional(),
  error_message: z.string().optional(),
});

export const sessionStop = z.object({
  changed_files: z.array(z.string()).optional(),
  abilities_used: z.array(z.string()).optional(),
  tasks_summary: z
    .array(z.looseObject({ task_key: z.string(), ability_id: z.string(), status: taskStatus }))
    .optional(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
});

/** A structured message to the AI; each kind belongs to one event. */
export const hookSignal = z.looseObject({
  source_event: z.string().optional().describe("filled in with the event that ran the hook"),
  hook_id: z.string().optional().describe("filled in with the hook's own name"),
  kind: z.string(),
  code: z.string(),
  severity: z.enum(["info", "warning", "error"]).optional(),
  payload: z.unknown(),
});

export const abilityAnswer = z.looseObject({
  logs: z.array(z.string()).optional(),
  usage_recorded: z.boolean().optional(),
  hook_signals: z.array(hookSignal).optional().describe("AI-facing events only"),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional().describe("this hook failed"),
});

/** A signal as the AI receives it. */
export interface HookSignal {
  readonly source_event: string;
  readonly hook_id: string;
  readonly kind: string;
  readonly code: string;
  readonly severity?: "info" | "warning" | "error";
  readonly payload: unknown;
}
