// Sends the agent back while a file was edited after the tests last passed. The transcript says what was done.
import { readFileSync } from "node:fs";

const { transcript_path } = JSON.parse(readFileSync(0, "utf8"));
const lines = readFileSync(transcript_path, "utf8").split("\n").filter(Boolean);
const parts = lines.flatMap((line) => JSON.parse(line).content?.parts ?? []);

const calls = [];
let untested;
for (const { functionCall, functionResponse } of parts) {
  if (functionCall) calls.push(functionCall);
  if (!functionResponse) continue;
  // Responses come in the order of their calls.
  const { name, args } = calls.shift() ?? {};
  const { output } = functionResponse.response;
  if (output === undefined) continue; // it was blocked, or it failed
  if (name === "write_file" || name === "replace") untested = args.file_path;
  if (/\b(node --test|npm test)\b/.test(args?.command) && !/^Exit code: /m.test(output)) untested = undefined;
}

if (untested) {
  const reason = `${untested} was edited, and the tests have not passed since. Run \`node --test\`.`;
  console.log(JSON.stringify({ decision: "block", reason }));
}
