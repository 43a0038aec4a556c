import { decideQuestion } from "../daemon/decideQuestion.ts";
import type { Command } from "../terminal/command.ts";

export const deny: Command = {
  name: "deny",
  summary: "deny an open question",
  details: "The model is given the reason.",
  parameters: [
    { name: "id", description: "as `hookline asks` shows it", required: true },
    { name: "reason", description: "what the model should know", many: true },
  ],
  options: [],
  examples: [["hookline deny 3fa9c1 not on a Friday", "keep the call from running"]],
  run: (io, { args: [id = "", ...words], options }) =>
    decideQuestion(io, {
      id,
      approved: false,
      reason: words.join(" ") || "a person denied it",
      json: options.json === true,
    }),
};
