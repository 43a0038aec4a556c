import { EVENTS } from "../../events/catalog.ts";

/** Fields with the data that a hook works on: arguments, requests, responses. Their text is not the hook's own. */
export const CONTENTS: ReadonlySet<string> = new Set([
  ...Object.values(EVENTS).flatMap(({ honours }) => honours),
  "updatedInput",
  "modifiedRequest",
  "modifiedResponse",
  "syntheticResponse",
]);

/** Fields for people and for the model. They often quote a command or a file, which may contain JSON. */
export const TEXTS: ReadonlySet<string> = new Set([
  "reason",
  "permissionDecisionReason",
  "stopReason",
  "systemMessage",
  "logs",
]);
