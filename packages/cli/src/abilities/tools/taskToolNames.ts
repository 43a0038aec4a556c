/** The tools that create and run tasks for abilities. */
export const TASK_TOOL_NAMES = ["list_abilities", "create_task", "run_task"];
