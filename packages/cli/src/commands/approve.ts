import { decideQuestion } from "../daemon/decideQuestion.ts";
import type { Command } from "../terminal/command.ts";

export const approve: Command = {
  name: "approve",
  summary: "approve an open question",
  details: "The first answer counts. Without one in time, the answer is no.",
  parameters: [{ name: "id", description: "as `hookline asks` shows it", required: true }],
  options: [],
  examples: [["hookline approve 3fa9c1", "let the call run"]],
  run: (io, { args: [id = ""], options }) =>
    decideQuestion(io, { id, approved: true, reason: "approved by a person", json: options.json === true }),
};
