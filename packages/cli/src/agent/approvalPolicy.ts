import type { ToolConfirmation } from "@hookline/engine";
import type { Tool, ToolArguments, ToolContext, ToolKind } from "../tools/tool.ts";
import type { ApprovalMode } from "./approver.ts";

const CONFIRMED: Readonly<Record<ApprovalMode, readonly ToolKind[]>> = {
  default: ["edit", "exec", "mcp"],
  "auto-edit": ["exec", "mcp"],
  yolo: [],
};

interface Policy {
  readonly mode: ApprovalMode;
  /** Hook configuration, and files that were trusted: no mode makes up for a look at a change of those. */
  readonly isProtected: (file: string) => boolean;
  /** What a person said yes to for as long as the session lasts. */
  readonly isGranted?: (confirmation: ToolConfirmation) => boolean;
}

/** What a call itself wants confirmed. If hooks ask, the person is shown what it is about in any case. */
export async function confirmationOf(
  tool: Tool,
  input: ToolArguments,
  context: ToolContext,
  { mode, isProtected, isGranted, byHooks }: Policy & { readonly byHooks: boolean },
): Promise<ToolConfirmation | undefined> {
  const isRequired = tool.writes?.(input, context).some(isProtected) ?? false;
  if (!isRequired && !byHooks && !CONFIRMED[mode].includes(tool.kind)) return undefined;
  const details = await tool.describe(input, context);
  if (isRequired) return { ...details, isRequired, title: `${details.title} It decides what hooks do.` };
  return !byHooks && isGranted?.(details) ? undefined : details;
}
