import { spawn } from "node:child_process";
import { ReleaseFault } from "./fault.mjs";

const MOST_CHARS = 4_000;

/**
 * Runs a program without a shell and resolves to what it prints. `show` passes its output on, and its input; otherwise a failure
 * quotes the end of it.
 */
export function run(
  command,
  args,
  { cwd, env = process.env, signal, show = false, next = "Read what it says above." },
) {
  return new Promise((resolve, reject) => {
    const stdio = show ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { cwd, env, signal, stdio });
    let [stdout, all] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      all += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      all += text;
    });
    let failure;
    child.on("error", (error) => {
      failure = error;
    });
    // After an abort it may still be writing: wait for this before its folder is removed.
    child.on("close", (code, killedBy) => {
      if (signal?.aborted) reject(signal.reason);
      else if (code === 0) resolve(stdout);
      else reject(new ReleaseFault(failureText([command, ...args], failure?.message ?? killedBy ?? code, all), next));
    });
  });
}

function failureText(words, why, output) {
  const end = output.slice(-MOST_CHARS).trimEnd();
  return `${words.join(" ")} ended with ${why}.${end === "" ? "" : `\n${end}`}`;
}
