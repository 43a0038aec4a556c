import type { ToolConfirmation, ToolResult } from "@hookline/engine";
import type { McpContext } from "@hookline/engine/program";
import type { SeenFiles } from "./seenFiles.ts";
import type { Workspace } from "./workspace.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;

/** What a call may do: look, change files of the workspace, start programs, whatever a server does, or put a task on the list. */
export type ToolKind = "read" | "edit" | "exec" | "mcp" | "task";

/** What a session tells of a task at its end. */
export interface TaskFacts {
  readonly key: string;
  readonly abilityId: string;
  /** Of its last run. */
  readonly result?: { readonly status: "success" | "failure" | "partial" } | undefined;
}

/** What became of a task through a call. */
export interface TaskNote {
  readonly task: TaskFacts;
  /** From the project root. */
  readonly changedFiles?: readonly string[];
}

export interface ToolContext {
  readonly workspace: Workspace;
  /** What this call has seen of its files so far. */
  readonly seen?: SeenFiles;
  readonly signal?: AbortSignal;
  /** What a running tool prints, as it comes. */
  readonly onOutput?: (text: string) => void;
  /** A call made a task, or ran one. */
  readonly onTask?: (note: TaskNote) => void;
  /** What programs inherit, before credentials are taken out; default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Something the model can do. Arguments are as hooks left them. */
export interface Tool {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  /** JSON Schema of the arguments, as the model gets it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly mcpContext?: McpContext;
  /** False for the tools that deal with tasks: the abilities of those are guarded where they run. */
  readonly isAbility?: boolean;
  /**
   * The arguments under the names that hooks read, for a model that uses those of another version. To be called before any
   * hook is asked: an argument under a second name would be one that a guard does not see.
   */
  normalise?(input: ToolArguments): ToolArguments;
  /** What is wrong with the arguments, in words for the model; undefined if nothing is. */
  validate(input: ToolArguments, context: ToolContext): string | undefined | Promise<string | undefined>;
  /** What a person who is asked about this call should see. */
  describe(input: ToolArguments, context: ToolContext): ToolConfirmation | Promise<ToolConfirmation>;
  /** Files whose content the model gets to know, absolute and without symbolic links. */
  reads?(input: ToolArguments, context: ToolContext): readonly string[];
  /** Files that this call would change, absolute and without symbolic links. */
  writes?(input: ToolArguments, context: ToolContext): readonly string[];
  /** Throws what the model should read when the call fails. */
  execute(input: ToolArguments, context: ToolContext): Promise<ToolResult>;
}
