import type { ToolConfirmation } from "@hookline/engine";
import type { Tool, ToolArguments, ToolContext, ToolKind } from "../tools/tool.ts";
import type { ApprovalMode } from "./approver.ts";
import { isExecutedElsewhere } from "./executedFiles.ts";

const CONFIRMED: Readonly<Record<ApprovalMode, readonly ToolKind[]>> = {
  default: ["edit", "exec", "mcp"],
  "auto-edit": ["exec", "mcp"],
  yolo: [],
};

interface Policy {
  readonly mode: ApprovalMode;
  readonly projectRoot: string;
  /** What a person said yes to for as long as the session lasts. */
  readonly isGranted?: (confirmation: ToolConfirmation) => boolean;
  /** A hook, or self-protection, asks: the person is shown what it is about in any case. */
  readonly byHooks: boolean;
}

/** What a call itself wants confirmed. An edit of a file that other programs execute counts as more than an edit. */
export async function confirmationOf(
  tool: Tool,
  input: ToolArguments,
  context: ToolContext,
  { mode, projectRoot, isGranted, byHooks }: Policy,
): Promise<ToolConfirmation | undefined> {
  const isExecuted =
    mode !== "yolo" && tool.writes?.(input, context).some((path) => isExecutedElsewhere(path, projectRoot));
  if (!isExecuted && !byHooks && !CONFIRMED[mode].includes(tool.kind)) return undefined;
  const details = await tool.describe(input, context);
  if (isExecuted) return { ...details, isGrantable: false, title: `${details.title} Other programs run this file.` };
  return !byHooks && isGranted?.(details) ? undefined : details;
}
