// Lets a person decide about every `rm`.
import { readFileSync } from "node:fs";

const { tool_input } = JSON.parse(readFileSync(0, "utf8"));

if (/(^|[;&|(]|\bsudo)\s*rm\s/.test(tool_input.command)) {
  console.log(JSON.stringify({ decision: "ask", reason: `This deletes files: ${tool_input.command}` }));
}
