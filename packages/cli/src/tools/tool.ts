import type { ToolConfirmation, ToolResult } from "@hookline/engine";
import type { McpContext } from "@hookline/engine/program";
import type { SeenFiles } from "./seenFiles.ts";
import type { Workspace } from "./workspace.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;

/** What a call may do: read, change files of the workspace, start programs, call an MCP server, or create a task. */
export type ToolKind = "read" | "edit" | "exec" | "mcp" | "task";

/** The facts of a task in the summary of a session. */
export interface TaskFacts {
  readonly key: string;
  readonly abilityId: string;
  /** The result of its last run. */
  readonly result?: { readonly status: "success" | "failure" | "partial" } | undefined;
}

/** A task that a call created or ran. */
export interface TaskNote {
  readonly task: TaskFacts;
  /** Paths from the project root. */
  readonly changedFiles?: readonly string[];
}

export interface ToolContext {
  readonly workspace: Workspace;
  /** The files that this call has read so far. */
  readonly seen?: SeenFiles;
  readonly signal?: AbortSignal;
  /** Receives the output of a running tool. */
  readonly onOutput?: (text: string) => void;
  /** Called when a call creates or runs a task. */
  readonly onTask?: (note: TaskNote) => void;
  /** The environment of programs, before credentials are removed; default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A tool of the model. It receives the arguments after the rewrites of hooks. */
export interface Tool {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  /** The JSON Schema of the arguments, as sent to the model. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly mcpContext?: McpContext;
  /** False for tools that manage tasks: hooks guard the task's abilities when they run. */
  readonly isAbility?: boolean;
  /**
   * Renames arguments to the names that hooks read, for a model that uses those of another agent. Call it before any hook runs: a
   * guard would not see an argument with another name.
   */
  normalise?(input: ToolArguments): ToolArguments;
  /** Describes for the model what is wrong with the arguments; undefined if they are valid. */
  validate(input: ToolArguments, context: ToolContext): string | undefined | Promise<string | undefined>;
  /** Describes the call for the person who approves it. */
  describe(input: ToolArguments, context: ToolContext): ToolConfirmation | Promise<ToolConfirmation>;
  /** Files whose content the model will receive, absolute and without symbolic links. */
  reads?(input: ToolArguments, context: ToolContext): readonly string[];
  /** Files that this call would change, absolute and without symbolic links. */
  writes?(input: ToolArguments, context: ToolContext): readonly string[];
  /** If the call fails, throws an error for the model to read. */
  execute(input: ToolArguments, context: ToolContext): Promise<ToolResult>;
}
