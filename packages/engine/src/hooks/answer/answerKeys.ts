import { EVENTS } from "../../events/catalog.ts";

/** Fields that hold what a hook works on: arguments, requests, responses. The words in them are not the hook's own. */
export const CONTENTS: ReadonlySet<string> = new Set([
  ...Object.values(EVENTS).flatMap(({ honours }) => honours),
  "updatedInput",
  "modifiedRequest",
  "modifiedResponse",
  "syntheticResponse",
]);

/** Fields for people and for the model. They often quote a command or a file, which may hold JSON. */
export const TEXTS: ReadonlySet<string> = new Set([
  "reason",
  "permissionDecisionReason",
  "stopReason",
  "systemMessage",
  "logs",
]);
