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
  /** Whether the user granted this for the whole session. */
  readonly isGranted?: (confirmation: ToolConfirmation) => boolean;
  /** A hook or self-protection asks: show the details to the user in any case. */
  readonly byHooks: boolean;
}

/** The confirmation that the tool itself needs. An edit of a file that other programs execute counts as more than an edit. */
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
