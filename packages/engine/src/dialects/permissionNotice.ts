import { KNOWN_TOOLS, namesOf } from "../events/toolNames.ts";
import { type Fields, isFields, textOf } from "./fields.ts";

/** A host's permission prompt as the fields of our Notification. */
export function permissionNotice({ tool_name, tool_input }: Fields): Fields {
  const name = textOf(tool_name) ?? "a tool";
  const input = isFields(tool_input) ? tool_input : {};
  const title = `Use ${name}?`;
  return {
    notification_type: "ToolPermission",
    message: `${name} requires permission`,
    details: { title, ...detailsOf(namesOf(KNOWN_TOOLS, name)[0] ?? name, input) },
  };
}

function detailsOf(canonical: string, input: Fields): Fields {
  const { command, file_path } = input;
  if (canonical === "run_shell_command" && typeof command === "string") return { type: "exec", command };
  if (typeof file_path === "string") return { type: "edit", filePath: file_path };
  return { type: "info", toolName: canonical };
}
