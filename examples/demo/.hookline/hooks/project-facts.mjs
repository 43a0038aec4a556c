// Hands the text of .hookline/facts.md to the model when a session begins.
import { readFileSync } from "node:fs";

const additionalContext = readFileSync(".hookline/facts.md", "utf8").trim();
console.log(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
