// Turns every deployment into a dry run.
import { readFileSync } from "node:fs";

const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const command = tool_input.command.replace(/\bdeploy\.mjs\b(?! --dry-run\b)/g, "deploy.mjs --dry-run");

if (command !== tool_input.command) {
  // Only the fields named here change.
  console.log(JSON.stringify({ hookSpecificOutput: { tool_input: { command } } }));
}
