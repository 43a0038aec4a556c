import type { ApprovalAnswer, ApprovalRequest, ToolConfirmation } from "@hookline/engine";

/** Asks the user about a call. Aborting the signal withdraws the question. */
export interface Approver {
  approve(request: ApprovalRequest, signal: AbortSignal | undefined): Promise<ApprovalAnswer>;
  /** Whether the user told the tool not to ask this again. */
  isGranted?(confirmation: ToolConfirmation): boolean;
}

export const APPROVAL_MODES = ["default", "auto-edit", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];
