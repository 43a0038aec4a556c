import { z } from "zod";
import { defineTool } from "../../tools/defineTool.ts";
import type { Tool } from "../../tools/tool.ts";
import type { TaskToolContext } from "./taskTools.ts";

export function listAbilitiesTool({ abilities }: TaskToolContext): Tool {
  return defineTool({
    name: "list_abilities",
    kind: "read",
    isAbility: false,
    description:
      "Lists the abilities of this project: ids, operation keys, environments, and the JSON Schema of each input.",
    schema: () => z.object({}),
    check: () => {},
    describe: () => ({ type: "info", title: "List the abilities?" }),
    async run() {
      const listed = abilities.map(({ name, description, operationKeys, environments, input }) => ({
        id: name,
        ...(description === undefined ? {} : { summary: description }),
        ...(operationKeys.length > 0 ? { operation_keys: operationKeys } : {}),
        ...(environments.length > 0 ? { environments } : {}),
        input,
      }));
      return { llmContent: JSON.stringify(listed), returnDisplay: listed.map(({ id }) => id).join(", ") };
    },
  });
}
