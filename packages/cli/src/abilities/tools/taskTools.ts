import type { AbilityDeclaration } from "../../declarations/abilities/abilityDeclaration.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Task } from "../store/task.ts";
import type { ToolRunner } from "../toolRunner.ts";
import { createTaskTool } from "./createTask.ts";
import { listAbilitiesTool } from "./listAbilities.ts";
import { runTaskTool } from "./runTask.ts";

/** The parts of a session that the tools for tasks need. */
export interface TaskToolContext {
  readonly abilities: readonly AbilityDeclaration[];
  /** Throws TASK_UNKNOWN. */
  readonly task: (key: string) => Promise<Task>;
  /** A runner whose asks go to the session's user, if any, and which aborts with this signal. */
  readonly runner: (signal: AbortSignal | undefined) => ToolRunner;
}

/** The model's tools for abilities. A project without abilities does not need them. */
export function taskTools(room: TaskToolContext): readonly Tool[] {
  return room.abilities.length === 0 ? [] : [listAbilitiesTool(room), createTaskTool(room), runTaskTool(room)];
}
