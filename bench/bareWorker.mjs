import { spawn } from "node:child_process";

/** The least a warm process costs: a line down a pipe, a line back. One request at a time. */
export function startBareWorker(file, args) {
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  let begun = "";
  let answer;
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    begun += chunk;
    if (!begun.endsWith("\n")) return;
    const line = begun;
    begun = "";
    answer(JSON.parse(line));
  });
  const ask = (message) =>
    new Promise((resolve) => {
      answer = resolve;
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  return { ask, close: () => child.kill() };
}
