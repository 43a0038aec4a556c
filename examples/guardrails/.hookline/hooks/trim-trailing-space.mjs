// Removes spaces at the ends of lines before a file is written. Markdown is left alone: two spaces mean something there.
import { readFileSync } from "node:fs";

const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const { file_path = "", content = "" } = tool_input;
const trimmed = content.replace(/[ \t]+$/gm, "");

if (!file_path.endsWith(".md") && trimmed !== content) {
  // Only the fields named here change; file_path stays as it is.
  console.log(JSON.stringify({ hookSpecificOutput: { tool_input: { content: trimmed } } }));
}
