import type { ApprovalAnswer, ApprovalRequest, ToolConfirmation } from "@hookline/engine";

/** Asks a person about one call. Aborting the signal takes the question back. */
export interface Approver {
  approve(request: ApprovalRequest, signal: AbortSignal | undefined): Promise<ApprovalAnswer>;
  /** Whether the person said that a tool need not ask this again. */
  isGranted?(confirmation: ToolConfirmation): boolean;
}

export const APPROVAL_MODES = ["default", "auto-edit", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];
