import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CALL, commandHook, temporaryFolder, testSystem } from "../../support/system.ts";

/** A command that counts its runs in a file, then does this; `$n` is the number of the run. */
async function counting(body: string, fields: Readonly<Record<string, unknown>>) {
  const file = join(temporaryFolder(), "runs");
  const command = `printf x >> "${file}"; n=$(wc -c < "${file}" | tr -d ' '); ${body}`;
  const { handler } = await testSystem(commandHook("BeforeTool", command, { name: "flaky", ...fields }));
  const result = await handler.fireBeforeToolEvent(CALL);
  const runs = existsSync(file) ? readFileSync(file, "utf8").length : 0;
  return { result, runs };
}

describe("a command that fails without an answer", () => {
  test("is run again as often as it says, and its first answer counts", async () => {
    const deny = `echo '{"decision":"deny","reason":"no"}'`;
    const { result, runs } = await counting(`[ "$n" -lt 3 ] && exit 7; ${deny}`, { retries: 3 });
    expect([runs, result.success, result.finalOutput?.reason]).toEqual([3, true, "no"]);
    expect(result.results[0]?.notes).toEqual(["was run again: it exited with code 7, then exited with code 7"]);
  });

  test("fails after its last attempt, and onError decides", async () => {
    const { result, runs } = await counting("exit 7", { retries: 2, onError: "block" });
    expect([runs, result.success, result.finalOutput?.decision]).toEqual([3, false, "block"]);
  });

  test("is run once by default", async () => {
    expect((await counting("exit 7", {})).runs).toBe(1);
  });

  test.each([
    ["a block by exit code 2", "echo no >&2; exit 2"],
    ["an objection beside an error", `echo '{"decision":"deny"}'; exit 1`],
    ["a decision that cannot be understood", `echo '{"decision":"nyet"}'`],
    ["plain text", "echo fine"],
  ])("is not run again after %s", async (_what, body) => {
    expect((await counting(body, { retries: 3 })).runs).toBe(1);
  });

  test("is not run again after its time is over, and all attempts share it", async () => {
    expect((await counting("sleep 30", { retries: 3, timeout: "300ms" })).runs).toBe(1);
    const { runs, result } = await counting(`[ "$n" -gt 1 ] && sleep 30; exit 7`, { retries: 3, timeout: "4s" });
    expect([runs, result.errors[0]?.message]).toEqual([2, expect.stringMatching(/timed out|took longer/)]);
  });
});

test("an endpoint that fails is asked again", async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume().on("end", () => {
      response.statusCode = asked < 2 ? 503 : 200;
      response.end(asked < 2 ? "try later" : JSON.stringify({ decision: "deny", reason: "no" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const hook = { type: "http", url: `http://127.0.0.1:${port}/`, timeout: "10s", retries: 1 };
  const { handler } = await testSystem({ BeforeTool: [{ hooks: [hook] }] });
  const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
  expect([asked, finalOutput?.reason]).toEqual([2, "no"]);
});

test("a number that is out of bounds, and retries of a worker, are reported", async () => {
  const hooks = [
    { type: "command", command: "true", timeout: "5s", retries: 4 },
    { type: "worker", command: "node -e 0", timeout: "5s", retries: 1 },
  ];
  const { system } = await testSystem({ BeforeTool: [{ hooks }] });
  expect(system.getStatus().problems.map(({ what }) => what)).toEqual([
    expect.stringContaining('"retries" cannot be 4'),
    expect.stringContaining('"retries"'),
  ]);
  expect(
    system
      .getRegistry()
      .getAllHooks()
      .map(({ config }) => config.retries),
  ).toEqual([undefined, undefined]);
});
