// One session of the agent, from its start to its end.
import * as hooks from "@hookline/engine";
import { takeTurn } from "./agent.mjs";
import { note, show, tell } from "./world.mjs";

// The hooks beside this file are the agent's own. For other people's projects pass a function here: it asks a person.
const config = new hooks.SettingsConfig({ workingDir: import.meta.dirname, trust: "all" });
const prompt = "Raise the retries to 5, and write down that you did.";

const start = await hooks.fireSessionStartHook(config, "startup");
note(start);
if (start.error) show("hook", start.error);
if (start.additionalContext) tell({ text: start.additionalContext });

show("user", prompt);
const submitted = await hooks.firePromptSubmitHook(config, { user_raw_input: prompt });
show("agent", submitted.blocked ? submitted.reason : await takeTurn(config, prompt));

await hooks.fireSessionStopHook(config, {});
await hooks.fireSessionEndHook(config, "exit");
await config.getHookSystem()?.settle();
await config.getHookSystem()?.dispose();
