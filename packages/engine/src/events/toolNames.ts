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

/** Arguments that name files which the tool writes, by any name of the tool; an array of edits has a path in each. */
const WRITTEN_PATHS: Readonly<Record<string, readonly string[]>> = {
  write_file: ["file_path", "absolute_path", "path"],
  replace: ["file_path", "absolute_path", "path"],
  MultiEdit: ["file_path"],
  NotebookEdit: ["notebook_path"],
};

/** The paths that a call of this tool would write, as the arguments have them. */
export function writtenPaths(tools: ToolNames, name: string, input: Readonly<Record<string, unknown>>): string[] {
  const names = [...namesOf(tools, name), ...namesOf(KNOWN_TOOLS, name)];
  const written = names.flatMap((one) => (Object.hasOwn(WRITTEN_PATHS, one) ? (WRITTEN_PATHS[one] ?? []) : []));
  return [...new Set(written)].flatMap((argument) => {
    const path = Object.hasOwn(input, argument) ? input[argument] : undefined;
    return typeof path === "string" && path !== "" ? [path] : [];
  });
}

/** All names of the tool that bears this one; a tool nobody knows has just the name it came with. */
export function namesOf(tools: ToolNames, name: string): readonly string[] {
  return tools.find((names) => names.includes(name)) ?? [name];
}
