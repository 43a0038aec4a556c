// Writes what the session did as log lines. SessionStop faces nobody: an answer can neither block nor reach the model.
import { readFileSync } from "node:fs";

const { changed_files = [], abilities_used = [] } = JSON.parse(readFileSync(0, "utf8"));

const logs = [
  `${changed_files.length} changed: ${changed_files.join(", ")}`,
  `abilities used: ${abilities_used.join(", ") || "none"}`,
];
console.log(JSON.stringify({ logs }));
