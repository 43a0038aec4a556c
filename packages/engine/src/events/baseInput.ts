import { z } from "zod";

/** The fields that every hook receives. */
export const baseInput = z.looseObject({
  session_id: z.string(),
  transcript_path: z.string().describe("empty if there is none"),
  cwd: z.string().describe("the session's working directory"),
  hook_event_name: z.string(),
  timestamp: z.string().describe("ISO 8601"),
  second_pass: z
    .boolean()
    .optional()
    .describe("true when a guard runs again: another hook rewrote the input, or a path in it leads elsewhere"),
});
