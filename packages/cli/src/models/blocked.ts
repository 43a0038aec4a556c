import type { GenerateContentResponse } from "@google/genai";
import { shortened } from "../terminal/visible.ts";
import { ModelError } from "./modelError.ts";

/** A service that refuses a prompt sends a response without candidates, which must not count as an empty answer. */
export function throwIfBlocked({ promptFeedback }: GenerateContentResponse): void {
  const reason = promptFeedback?.blockReason;
  if (!reason) return;
  const said = promptFeedback.blockReasonMessage ? `: ${promptFeedback.blockReasonMessage}` : "";
  throw new ModelError({
    what: `The service refused the prompt (${shortened(`${reason}${said}`, 300)}).`,
    next: "Change the prompt, or start a new conversation.",
  });
}
