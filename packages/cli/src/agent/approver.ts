import type { ApprovalAnswer, ApprovalRequest } from "@hookline/engine";

/** Asks a person about one call. Aborting the signal takes the question back. */
export interface Approver {
  approve(request: ApprovalRequest, signal: AbortSignal | undefined): Promise<ApprovalAnswer>;
}

export const APPROVAL_MODES = ["default", "auto-edit", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];
