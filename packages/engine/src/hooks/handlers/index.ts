import { commandHandler } from "./command.ts";
import type { HookHandler } from "./handler.ts";
import { runtimeHandler } from "./runtime.ts";

/** Every kind of hook this version knows. */
export const HANDLERS: readonly HookHandler[] = [commandHandler, runtimeHandler];
