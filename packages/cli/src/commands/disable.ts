import { switchHook } from "../switches/switchHook.ts";
import type { Command } from "../terminal/command.ts";

export const disable: Command = {
  name: "disable",
  summary: "switch a hook off",
  details: "Adds the name to hooksConfig.disabled in your settings, or in the project's for its hooks. Keeps comments.",
  parameters: [
    { name: "hook", description: "its name, as `hookline list` shows it", required: true, completes: "hooks" },
  ],
  options: [],
  examples: [["hookline disable check-edit", "keep check-edit from running"]],
  run: (io, { args: [name = ""], options }) => switchHook(io, { name, on: false, json: options.json === true }),
};
