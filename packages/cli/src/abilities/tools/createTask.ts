import { z } from "zod";
import { defineTool } from "../../tools/defineTool.ts";
import type { Tool } from "../../tools/tool.ts";
import { refused, structured } from "./taskResult.ts";
import type { TaskToolContext } from "./taskTools.ts";

const schema = () =>
  z.object({
    ability: z.string().min(1).describe("An id or an operation key of list_abilities."),
    input: z.looseObject({}).optional().describe("The input, according to the ability's schema."),
    environment: z.string().min(1).optional().describe("The environment to run in: dev, staging, prod, …"),
  });

export function createTaskTool({ runner }: TaskToolContext): Tool {
  return defineTool({
    name: "create_task",
    kind: "task",
    isAbility: false,
    description:
      "Creates a task for an ability and returns its key, or says why the ability is not available. run_task runs the task.",
    schema,
    check: () => {},
    describe: ({ ability }) => ({ type: "info", title: `Create a task for ${ability}?` }),
    async run({ ability, input = {}, environment }, { signal, onTask }) {
      const outcome = await runner(signal).createTask(ability, input, { environment });
      if (outcome.kind === "unavailable") return refused(outcome, { status: "unavailable" });
      const { task, signals } = outcome;
      onTask?.({ task });
      const facts = { task_key: task.key, ability_id: task.abilityId, status: task.status };
      if (outcome.kind === "awaitingHuman") return refused(outcome, facts);
      return structured({ ...facts, hook_signals: signals }, `${task.key}: ${task.abilityId} ${task.status}`);
    },
  });
}
