import { basename } from "node:path";
import type { HookNotification } from "./agent.ts";
import type { ApprovalRequest } from "./askPerson.ts";

/** Maps detail names of confirmations, spelled like tool arguments, to the names that hooks use. */
const NAMES: Readonly<Record<string, string>> = {
  file_path: "filePath",
  diff: "fileDiff",
  server_name: "serverName",
  tool_name: "toolName",
};

/** The details of the question to a person, as Notification hooks see them. */
export function notificationDetails(request: ApprovalRequest): HookNotification["details"] {
  const { type, title, isRequired: _r, isGrantable: _g, ...facts } = request.confirmation ?? toolItself(request);
  const details = Object.fromEntries(Object.entries(facts).map(([key, value]) => [NAMES[key] ?? key, value]));
  const { filePath, toolName } = details;
  return {
    type,
    title,
    ...details,
    ...(typeof filePath === "string" ? { fileName: basename(filePath) } : {}),
    ...(type === "mcp" ? { toolDisplayName: toolName } : {}),
  };
}

function toolItself({ toolName, mcpContext }: ApprovalRequest): NonNullable<ApprovalRequest["confirmation"]> {
  if (!mcpContext) return { type: "info", title: `Run ${toolName}?`, tool_name: toolName };
  const { server_name, tool_name } = mcpContext;
  return { type: "mcp", title: `Run ${tool_name} of ${server_name}?`, server_name, tool_name };
}
