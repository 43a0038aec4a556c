import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { completeHistory } from "../../src/agent/completeHistory.ts";
import { readTranscript } from "../../src/agent/readTranscript.ts";
import { endOf, eventually, hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";

/** `npm run soak` kills more. */
const TIMES = Number(process.env.HOOKLINE_SOAK_KILLS ?? 8);
const AT_ONCE = 2;
const LONGEST_MS = 400;

const answer = (part: object) => ({
  method: "generateContentStream",
  response: [{ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] }],
});
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const call = (name: string, args: object) => answer({ functionCall: { name, args } });

/** Long lines and short ones, tools and hooks: there is always something under way. */
const WORK = Array.from({ length: 12 }, (_, index) => [
  call("write_file", { file_path: `${index}.txt`, content: "x".repeat(index * 10_000) }),
  call("run_shell_command", { command: "echo running" }),
  call("read_file", { file_path: `${index}.txt` }),
]).flat();

async function killedOnce(index: number): Promise<"before it began" | "in the middle" | "after its end"> {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "look", command: "./look.sh" }], { matcher: "write_file" }),
    "project/look.sh": "#!/bin/sh\ncat >/dev/null\n",
    "work.jsonl": lines([...WORK, answer({ text: "Done." })]),
    "more.jsonl": lines([answer({ text: "Went on." })]),
  });
  // A long conversation is not to be compressed: what was written is to be what is sent.
  const flags = ["--trust-project", "--approval-mode", "yolo", "--compress-at", "9000000"];
  const child = machine.start(["run", "-p", "work", "--model", "replay:../work.jsonl", ...flags]);
  const ended = endOf(child);
  const sessions = join(machine.dir, machine.state, "sessions");
  const ids = () => (machine.has(`${machine.state}/sessions`) ? readdirSync(sessions) : []).filter(isTranscript);
  // Every tenth is killed blindly, while it starts.
  if (index % 10 !== 0) await eventually(() => ids().length > 0);
  // Few moments are spread over the whole time, too.
  await sleep(((index + Math.random()) / TIMES) * LONGEST_MS);
  child.kill("SIGKILL");
  const { code } = await ended;
  const [file] = ids();
  if (file === undefined) return "before it began";

  const id = file.slice(0, -".jsonl".length);
  const { contents } = readTranscript(machine.place, id);
  expect(completeHistory(contents)).toEqual(contents);
  const resumed = await machine.cli([
    "run",
    "-p",
    "go on",
    "--resume",
    id,
    "--model",
    "replay:../more.jsonl",
    "--requests",
    "../seen.jsonl",
    ...flags,
  ]);
  expect(resumed).toMatchObject({ code: 0, stdout: "Went on.\n" });
  const { request } = JSON.parse(machine.read("seen.jsonl"));
  expect(request.contents).toEqual([...contents, { role: "user", parts: [{ text: "go on" }] }]);
  return code === null ? "in the middle" : "after its end";
}

const isTranscript = (name: string) => name.endsWith(".jsonl");

test(`a session that is killed reads and resumes, whenever it happens: ${TIMES} times`, {
  timeout: 60_000 + TIMES * 20_000,
}, async () => {
  const moments: Record<string, number> = {};
  const queue = Array.from({ length: TIMES }, (_, index) => index).values();
  const lane = async () => {
    for (const index of queue) {
      const moment = await killedOnce(index);
      moments[moment] = (moments[moment] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // Otherwise nothing was tried.
  expect(moments["in the middle"]).toBeGreaterThan(TIMES / 2);
});
