// Removes spaces at the ends of lines before a file is written.
import { readFileSync } from "node:fs";

const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const content = tool_input.content?.replace(/[ \t]+$/gm, "");

// Only the fields named here change; file_path stays as it is.
if (content !== tool_input.content) console.log(JSON.stringify({ hookSpecificOutput: { tool_input: { content } } }));
