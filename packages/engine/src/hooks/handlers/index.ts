import { commandHandler } from "./command.ts";
import type { HookHandler } from "./handler.ts";
import { httpHandler } from "./http.ts";
import { pluginHandler } from "./plugin.ts";
import { runtimeHandler } from "./runtime.ts";
import { workerHandler } from "./worker.ts";

/** Every kind of hook this version knows. */
export const HANDLERS: readonly HookHandler[] = [
  commandHandler,
  workerHandler,
  pluginHandler,
  httpHandler,
  runtimeHandler,
];
