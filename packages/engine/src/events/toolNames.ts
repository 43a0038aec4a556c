/** A tool's canonical name first, then its aliases, in the order in which a hook may see them. */
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

interface FileTool {
  /** Arguments that name files or folders. */
  readonly paths: readonly string[];
  readonly writes?: boolean;
}

const FILE = ["file_path", "absolute_path", "path"];
const FOLDER = ["dir_path", "path", "directory"];

/** Tools with paths in their arguments, by one of their names. */
const FILE_TOOLS: Readonly<Record<string, FileTool>> = {
  read_file: { paths: FILE },
  write_file: { paths: FILE, writes: true },
  replace: { paths: FILE, writes: true },
  run_shell_command: { paths: ["dir_path", "directory"] },
  list_directory: { paths: FOLDER },
  glob: { paths: FOLDER },
  grep_search: { paths: FOLDER },
  MultiEdit: { paths: ["file_path"], writes: true },
  NotebookEdit: { paths: ["notebook_path"], writes: true },
  NotebookRead: { paths: ["notebook_path"] },
};

/** Looks up which arguments of a tool name files or folders. Names come from models: unknown tools are not cached. */
export function pathArguments(tools: ToolNames): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  for (const name of [...tools, ...KNOWN_TOOLS].flat().concat(Object.keys(FILE_TOOLS))) {
    known.set(name, [...new Set(fileTools(tools, name).flatMap(({ paths }) => paths))]);
  }
  return (name) => known.get(name) ?? NONE;
}

const NONE: readonly never[] = [];

/** The paths that a call of this tool would write, as given in the arguments. */
export function writtenPaths(tools: ToolNames, name: string, input: Readonly<Record<string, unknown>>): string[] {
  const written = fileTools(tools, name).flatMap(({ paths, writes }) => (writes ? paths : []));
  return [...new Set(written)].flatMap((argument) => {
    const path = Object.hasOwn(input, argument) ? input[argument] : undefined;
    return typeof path === "string" && path !== "" ? [path] : [];
  });
}

function fileTools(tools: ToolNames, name: string): readonly FileTool[] {
  const names = new Set([...namesOf(tools, name), ...namesOf(KNOWN_TOOLS, name)]);
  return [...names].flatMap((one) => (Object.hasOwn(FILE_TOOLS, one) ? (FILE_TOOLS[one] ?? []) : []));
}

/** All names of the tool with this name; an unknown tool has only the given name. */
export function namesOf(tools: ToolNames, name: string): readonly string[] {
  return tools.find((names) => names.includes(name)) ?? [name];
}

const LONGEST_MCP_NAME = 63;
/** What is kept of either end of a name that is too long: the beginning says whose it is, the end what it does. */
const KEPT = 31;

/** The name under which hooks and models know a server's tool: only letters, digits, `_` and `-`, and not too many. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return name.length <= LONGEST_MCP_NAME ? name : `${name.slice(0, KEPT)}_${name.slice(-KEPT)}`;
}
