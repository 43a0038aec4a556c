import { switchHook } from "../switches/switchHook.ts";
import type { Command } from "../terminal/command.ts";

export const enable: Command = {
  name: "enable",
  summary: "switch a hook on again",
  details:
    "Removes the name from hooksConfig.disabled in your settings, or in the project's for its hooks. Keeps comments.",
  parameters: [
    { name: "hook", description: "its name, as `hookline list` shows it", required: true, completes: "hooks" },
  ],
  options: [],
  examples: [["hookline enable check-edit", "let check-edit run again"]],
  run: (io, { args: [name = ""], options }) => switchHook(io, { name, on: true, json: options.json === true }),
};
