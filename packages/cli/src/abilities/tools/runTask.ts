import { z } from "zod";
import { defineTool } from "../../tools/defineTool.ts";
import type { Tool } from "../../tools/tool.ts";
import { refused, structured } from "./taskResult.ts";
import type { TaskToolContext } from "./taskTools.ts";

const schema = () =>
  z.object({
    task_key: z.string().min(1).describe("The key that create_task returned."),
    again: z.boolean().optional().describe("Run a task again that has already run."),
  });

export function runTaskTool({ runner, task: taskOf }: TaskToolContext): Tool {
  return defineTool({
    name: "run_task",
    kind: "exec",
    isAbility: false,
    description: "Runs a task of create_task and returns its result, or says why it may not run.",
    schema,
    check: () => {},
    async describe({ task_key }) {
      const { abilityId, input } = await taskOf(task_key);
      return {
        type: "exec",
        title: `Run ${abilityId}?`,
        ability_id: abilityId,
        task_key,
        command: JSON.stringify(input),
      };
    },
    async run({ task_key, again = false }, { signal, onTask }) {
      const outcome = await runner(signal).runTask(task_key, { again });
      const { task } = outcome;
      const facts = { task_key, ...(task ? { ability_id: task.abilityId, status: task.status } : {}) };
      switch (outcome.kind) {
        case "ran": {
          const { status, output, changedFiles, durationMs, error, signals } = outcome;
          if (task) onTask?.({ task, changedFiles });
          const result = {
            ...facts,
            status,
            output,
            changed_files: changedFiles,
            duration_ms: Math.round(durationMs),
            hook_signals: signals,
          };
          const done = structured(error === undefined ? result : { ...result, error }, `${task_key}: ${status}`);
          return status === "failure"
            ? { ...done, error: { message: String(done.llmContent), type: "execution_failed" } }
            : done;
        }
        case "denied":
        case "awaitingHuman":
          if (task) onTask?.({ task });
          return refused(outcome, facts);
        case "interrupted":
          signal?.throwIfAborted();
          return structured({ ...facts, status: "interrupted" }, `${task_key}: interrupted`);
      }
    },
  });
}
