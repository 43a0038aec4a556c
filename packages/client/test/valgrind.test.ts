import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerFrame, waitFrame } from "../../cli/src/daemon/wire.ts";
import { compileClient, hasCompiler, isThere } from "./support/compiler.ts";
import { asText, type Behaviour, type Ended, endOf, Installation, REFUSED } from "./support/installation.ts";

const hasValgrind = isThere("valgrind", spawnSync("valgrind", ["--version"]).status === 0);
const FLAWED = 99;
const VALGRIND = ["valgrind", "-q", `--error-exitcode=${FLAWED}`, "--leak-check=full", "--trace-children=no"];
const OK = answerFrame({ exitCode: 3, stdout: "answer", stderr: "" });

/** The client under valgrind, which sees all of it only without a static C library. */
async function checked(
  behaviour: Behaviour | undefined,
  change: (installation: Installation) => void = () => {},
  stdin = "{}",
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "hookline-valgrind-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const client = join(folder, "hookline-hook");
  compileClient(["-g", "-O1"], client);
  const installation = new Installation({ client });
  change(installation);
  if (behaviour) await installation.serve(behaviour);
  const options = { env: { PATH: process.env.PATH ?? "" }, deadlineMs: behaviour ? 60_000 : 3000 };
  const child = installation.start(options, [...VALGRIND, installation.client]);
  child.stdin?.end(stdin);
  return endOf(child);
}

describe.runIf(hasCompiler && hasValgrind)("valgrind finds nothing wrong", () => {
  test.each<[string, Behaviour]>([
    ["a torn answer", (_, socket) => socket.end(Buffer.concat([waitFrame(), OK.subarray(0, 12)]))],
    ["wrong frames", (_, socket) => socket.end(Buffer.from("a\0\0\0\x05\0\0\0\0\x01"))],
    ["two answers", (_, socket) => socket.end(Buffer.concat([OK, OK]))],
  ])("with %s", async (_, behaviour) => {
    expect(asText(await checked(behaviour))).toEqual(REFUSED);
  });

  test("with an answer to a megabyte", async () => {
    const ended = await checked((_, socket) => socket.end(OK), undefined, "x".repeat(2 ** 20));
    expect(asText(ended)).toMatchObject({ code: 3, stdout: "answer", stderr: "" });
  });

  test("with a malformed `closed`", async () => {
    const change = (installation: Installation) => installation.writeRun("closed", "BeforeTool\t/a\\");
    expect(asText(await checked(undefined, change))).toEqual(REFUSED);
  });

  test("with a daemon that does not come", async () => {
    const change = (installation: Installation) => installation.writeRun("daemon.start", "/bin/sh\0/dev/null\0");
    expect(asText(await checked(undefined, change))).toEqual(REFUSED);
  });
});
