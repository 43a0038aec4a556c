import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EVENTS } from "../../src/events/catalog.ts";
import type { Answer } from "../../src/hooks/answer/answer.ts";
import type { Ending } from "../../src/hooks/answer/ending.ts";
import { interpretAnswer } from "../../src/hooks/answer/interpretAnswer.ts";
import { readEnding } from "../../src/hooks/answer/readEnding.ts";
import { readWorkerLine } from "../../src/process/workerAnswer.ts";
import { harmless, type Objecting, objecting, objectingValue } from "../support/answerCases.ts";
import { CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";

/** Texts, each read after every way in which a hook can end. `npm run soak` sets enough for a million readings. */
const ROUNDS = Number(process.env.HOOKLINE_FUZZ_ROUNDS ?? 1000);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 20 });

const interpret = (ending: Ending) =>
  interpretAnswer(readEnding(ending), EVENTS.BeforeTool, { name: "hook", eventName: "BeforeTool" }).answer;

const NOTHING = { stderr: "", stdoutTruncated: false, stderrTruncated: false };
const exited = (stdout: string, code = 0, stderr = ""): Ending => ({
  ...NOTHING,
  kind: "exited",
  leftBehind: false,
  code,
  stdout,
  stderr,
});

/** All the ways in which a process can end after it printed this. */
const ENDINGS: readonly ((stdout: string) => Ending)[] = [
  (stdout) => exited(stdout),
  (stdout) => exited(stdout, 1, "oops"),
  (stdout) => exited(stdout, 255, '{"level":50}'),
  (stdout) => exited("\n", 0, stdout),
  (stdout) => exited("", 3, stdout),
  (stdout) => ({ ...NOTHING, kind: "killed", signal: "SIGKILL", stdout }),
  (stdout) => ({ ...NOTHING, kind: "timedOut", afterMs: 5, stdout }),
  (stdout) => ({ ...NOTHING, kind: "exited", code: 0, leftBehind: true, stdout, stdoutTruncated: true }),
];

// The rules. They share no code with the reader: an objection was planted, or nothing that could be one.

/** Chance may have put the objection into a field whose contents are not the hook's own words. */
const holdsContents = ({ text, alone }: Objecting) => !alone && text.includes("hookSpecificOutput");

function isOneObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.trim());
    return typeof value === "string"
      ? isOneObject(value)
      : typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A text may be encoded as JSON. */
function decoded(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? decoded(value) : text;
  } catch {
    return text;
  }
}

function expectHeard(answer: Answer | undefined, { effect }: Pick<Objecting, "effect">): void {
  if (answer?.[effect] !== true) throw new Error(`It ${effect}, and that was lost: ${JSON.stringify(answer)}`);
  if (answer.allows) throw new Error("An objection allows");
}

/** Nothing that changes, adds or permits anything. */
function expectNothingElse(answer: Answer | undefined): void {
  if (answer === undefined) return;
  const { allows, messages, contexts, suppressOutput, specific, rewrites, signals, logs } = answer;
  const extra = { allows, messages, contexts, suppressOutput, specific, rewrites, signals, logs };
  if (JSON.stringify(extra) !== NOTHING_ELSE) throw new Error(`It also says ${JSON.stringify(extra)}`);
}

const NOTHING_ELSE = JSON.stringify({
  allows: false,
  messages: [],
  contexts: [],
  suppressOutput: false,
  specific: {},
  rewrites: {},
  signals: [],
  logs: [],
});

const check = <Values extends [unknown, ...unknown[]]>(property: fc.IProperty<Values>, numRuns: number) =>
  fc.assert(property, { numRuns });

describe("in what a process prints", () => {
  test("an objection is never lost, and mixed text says nothing else", () => {
    check(
      fc.property(objecting, (planted) => {
        const isWhole = planted.alone || isOneObject(planted.text);
        if (isWhole && holdsContents(planted)) return;
        for (const end of ENDINGS) {
          const answer = interpret(end(planted.text));
          expectHeard(answer, planted);
          if (!isWhole) expectNothingElse(answer);
        }
      }),
      ROUNDS,
    );
  });

  test("mixed text without an objection neither objects nor says anything, and plain text is at most a message", () => {
    check(
      fc.property(harmless, (text) => {
        if (isOneObject(text)) return;
        for (const end of ENDINGS) {
          const answer = interpret(end(text));
          if (answer?.blocks || answer?.stops || answer?.asks) throw new Error("It objects");
          const said = answer?.messages.join() ?? "";
          if (!decoded(text).includes(said)) throw new Error("It says something else");
          expectNothingElse(answer && { ...answer, messages: [] });
        }
      }),
      ROUNDS / 4,
    );
  });

  test("exit code 2 blocks", () => {
    check(
      fc.property(
        fc.oneof(
          harmless,
          objecting.map(({ text }) => text),
        ),
        harmless,
        (stdout, stderr) => {
          expectHeard(interpret(exited(stdout, 2, stderr)), { effect: "blocks" });
        },
      ),
      ROUNDS / 10,
    );
  });
});

/** A worker's line cannot hold a line feed. */
const inLine = (text: string) => text.replaceAll(/[\n\r]/g, " ");
const ID = 4_711_000_123;
const LINES: readonly ((text: string, alone: boolean) => string)[] = [
  (text, alone) => `{"id":${ID},"output":${alone ? text : JSON.stringify(text)}}`,
  (text) => `{"output":${text},"id":${ID}}`,
  (text) => `{"id":${ID},"output":${text}`,
  (text) => `checking {"id":1} "{\\ {"id":${ID},"output":${text}} bye`,
  (text) => `{"id":${ID},"error":{"message":"away"},"output":${text}}`,
];

test("in a worker's line an objection is never lost", () => {
  check(
    fc.property(objecting, (planted) => {
      if (holdsContents(planted)) return;
      for (const write of LINES) {
        const line = write(inLine(planted.text), planted.alone);
        const answer = readWorkerLine(line, false, (id) => id === ID);
        if (answer?.id !== ID) throw new Error(`It was taken for a log line: ${line}`);
        const heard = interpret(answer.ending);
        // Where only its text can be read, an ask or a stop is a block.
        expectHeard(heard, heard?.blocks ? { effect: "blocks" } : planted);
      }
    }),
    ROUNDS / 4,
  );
});

test("in an endpoint's body an objection is never lost, and only one whole object says anything else", () => {
  const status = fc.constantFrom(200, 204, 301, 404, 500);
  const truncated = fc.constantFrom<false | "tooLong" | "brokeOff">(false, "tooLong", "brokeOff");
  check(
    fc.property(objecting, status, truncated, (planted, status, truncated) => {
      const isWhole = planted.alone || isOneObject(planted.text);
      if (isWhole && holdsContents(planted)) return;
      const answer = interpret({ kind: "responded", status, body: planted.text, truncated });
      expectHeard(answer, planted);
      if (!isWhole) expectNothingElse(answer);
    }),
    ROUNDS / 4,
  );
});

test("in a value of this process an objection is never lost", () => {
  check(
    fc.property(objectingValue, fc.boolean(), ({ make, effect }, isLate) => {
      const value = make();
      expectHeard(interpret(isLate ? { kind: "overran", afterMs: 5, value } : { kind: "returned", value }), { effect });
    }),
    ROUNDS / 4,
  );
});

describe("through the whole engine an objection is never lost", () => {
  const CASES = 100;
  const planted = fc
    .sample(objecting, { numRuns: 3 * CASES, seed: 7 })
    .filter(({ alone, text }) => alone || !isOneObject(text))
    .slice(0, CASES);
  const effectOf = (output: { decision?: unknown; continue?: unknown } | undefined) =>
    output?.continue === false
      ? "stops"
      : output?.decision === "block"
        ? "blocks"
        : output?.decision === "ask"
          ? "asks"
          : "nothing";

  test("by processes", async () => {
    const { handler, dir } = await testSystem(commandHook("BeforeTool", "cat printed"));
    for (const { text, effect } of planted) {
      writeFileSync(join(dir, "printed"), text);
      const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
      expect([text, effectOf(finalOutput)]).toEqual([text, effect]);
    }
  });

  test("by a worker", async () => {
    const script = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, input } = JSON.parse(line);
      if (input) console.log(require("node:fs").readFileSync("printed", "utf8").replace("ID", id));
    });`;
    const file = join(temporaryFolder(), "worker.cjs");
    writeFileSync(file, script);
    const hook = { type: "worker", command: `'${process.execPath}' '${file}'`, timeout: "20s" };
    const { handler, dir } = await testSystem({ BeforeTool: [{ hooks: [hook] }] });
    for (const { text } of planted) {
      writeFileSync(join(dir, "printed"), `{"id":ID,"output":${inLine(text)}}`);
      const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
      expect([text, effectOf(finalOutput)]).not.toEqual([text, "nothing"]);
    }
  });

  test("by an endpoint", async () => {
    let body = "";
    const server = createServer((_, response) => response.end(body));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const hook = { type: "http", url: `http://127.0.0.1:${port}/`, timeout: "20s" };
    const { handler } = await testSystem({ BeforeTool: [{ hooks: [hook] }] });
    for (const { text, effect } of planted) {
      body = text;
      const { finalOutput } = await handler.fireBeforeToolEvent(CALL);
      expect([text, effectOf(finalOutput)]).toEqual([text, effect]);
    }
  });
});
