import { expect, test } from "vitest";
import { type ProcessRequest, runProcess } from "../../src/process/runProcess.ts";
import { eventually, RememberedGroups } from "../support/fixtures.ts";

function request(script: string, onOutput: NonNullable<ProcessRequest["onOutput"]>): ProcessRequest {
  return {
    argv: ["/bin/sh", "-c", script],
    stdin: "",
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    timeoutMs: 15_000,
    killGraceMs: 300,
    outputLimitBytes: 4,
    reportLeftBehind: false,
    onOutput,
  };
}

test("what a process prints is passed on by stream, beyond what is kept of it, and no character is torn", async () => {
  const heard = { stdout: "", stderr: "" };
  const script = "printf 'one \\303'; sleep 0.2; printf '\\251 two'; printf 'three' >&2";
  const ending = await runProcess(
    request(script, (text, stream) => {
      heard[stream] += text;
    }),
    new RememberedGroups(),
  );
  expect(heard).toEqual({ stdout: "one é two", stderr: "three" });
  expect(ending).toMatchObject({ kind: "exited", code: 0, stdout: "one ", stderr: "thre", stdoutTruncated: true });
});

test("half a character at the end is passed on as what it is, a broken one", async () => {
  let heard = "";
  const listen = (text: string) => {
    heard += text;
  };
  await runProcess(request("printf 'a\\303'", listen), new RememberedGroups());
  expect(heard).toBe("a\ufffd");
});

test("nothing is passed on after the ending", async () => {
  let heard = "";
  let ended = false;
  const listen = (text: string) => {
    heard += ended ? `late: ${text}` : text;
  };
  const groups = new RememberedGroups();
  const controller = new AbortController();
  const run = runProcess(
    {
      ...request("trap 'echo two; exit' TERM; echo one; while :; do sleep 0.1; done", listen),
      signal: controller.signal,
    },
    groups,
  );
  await eventually(() => heard !== "");
  controller.abort();
  await run;
  ended = true;
  await eventually(() => groups.members().length === 0);
  expect(heard).toBe("one\n");
});
