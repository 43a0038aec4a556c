import { z } from "zod";
import { type Action, ActionCall, isAction } from "./actionCall.ts";
import type { HookHandler } from "./handler.ts";

/** A function in the embedding program. */
export const runtimeHandler: HookHandler = {
  kind: {
    type: "runtime",
    yamlKind: null,
    fields: {
      names: ["action"],
      areFine: ({ action }) => isAction(action),
      schema: () => z.object({ action: z.custom<Action>(isAction) }),
    },
    resolve: (fields) => ({ fields, identity: fields.action, files: [], uncovered: [] }),
  },
  start: (services) => ({
    run: (run) =>
      new Promise((resolve) => {
        const action = run.hook.config.target?.fields.action;
        if (isAction(action)) new ActionCall(run, services, resolve).start(action);
        else resolve({ kind: "notStarted", cause: new Error("there is no function to call") });
      }),
    keeps: true,
  }),
};
