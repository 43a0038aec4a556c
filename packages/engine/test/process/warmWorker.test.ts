import { expect, onTestFinished, test } from "vitest";
import { ProcessGroups } from "../../src/process/processGroups.ts";
import { WarmWorker } from "../../src/process/warmWorker.ts";

const ANSWERS = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ id, output: {} }));
});`;

test("files that cannot be looked at fail the request, and the next one starts the worker", async () => {
  const groups = new ProcessGroups();
  let looks = 0;
  const worker = new WarmWorker({
    program: { argv: [process.execPath, "-e", ANSWERS], cwd: process.cwd(), env: {} },
    groups,
    patienceMs: 1_000,
    getLimits: () => ({ killGraceMs: 1_000, outputLimitBytes: 1024 * 1024, idleMs: 60_000 }),
    watchFiles: () => {
      looks += 1;
      if (looks === 1) throw new Error("ELOOP");
      return () => true;
    },
  });
  onTestFinished(async () => {
    await worker.dispose();
    groups.dispose();
  });
  const ask = () =>
    worker.ask({
      event: "BeforeTool",
      input: ["{}"],
      timeoutMs: 30_000,
      startedAt: performance.now(),
      signal: undefined,
    });
  expect(await ask()).toMatchObject({ kind: "notStarted", cause: { message: "ELOOP" } });
  expect(await ask()).toMatchObject({ kind: "answered" });
});
