import { spawn } from "node:child_process";

/** The least a command hook can cost: start it, write its input, collect its output, wait until it is gone. */
export function runBare(file, args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.resume();
    child.stdin.on("error", () => {}); // a hook that does not read
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString()));
    child.stdin.end(input);
  });
}
