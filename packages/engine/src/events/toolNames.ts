/** A tool's canonical name first, then its other names, in the order in which a hook may see them. */
export type ToolNames = readonly (readonly [string, ...string[]])[];

/** The tools that agents of this family share; matchers may use any of their names. */
export const KNOWN_TOOLS: ToolNames = [
  ["read_file", "ReadFileTool", "Read"],
  ["write_file", "WriteFileTool", "Write"],
  ["replace", "EditTool", "Edit", "edit_file"],
  ["run_shell_command", "ShellTool", "Bash"],
  ["list_directory", "LSTool", "LS"],
  ["glob", "GlobTool", "Glob"],
  ["grep_search", "GrepTool", "Grep"],
];

/** All names of the tool that bears this one; a tool nobody knows has just the name it came with. */
export function namesOf(tools: ToolNames, name: string): readonly string[] {
  return tools.find((names) => names.includes(name)) ?? [name];
}
