import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import type { ContentGenerator } from "../../src/models/contentGenerator.ts";
import { ModelError } from "../../src/models/modelError.ts";
import { responseFrom } from "../../src/models/response.ts";
import { generateWithRetries, type ModelRetry, RETRY_POLICY, streamWithRetries } from "../../src/models/retries.ts";
import { all, failureOf, finalText, question } from "../support/modelCalls.ts";

const QUICK = { ...RETRY_POLICY, baseMs: 1 };
const busy = (retryAfterMs?: number) =>
  new ModelError({ what: "Busy.", isTransient: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });

/** A model whose attempts go as told: texts that come, then perhaps an error. */
function attempts(...script: readonly (readonly (string | Error)[])[]): ContentGenerator & { asked(): number } {
  const left = [...script];
  return {
    asked: () => script.length - left.length,
    async *generateContentStream() {
      for (const item of left.shift() ?? [new Error("One attempt too many")]) {
        if (typeof item !== "string") throw item;
        yield responseFrom({ candidates: [{ content: { parts: [{ text: item }] } }] });
      }
    },
    async generateContent(request, signal) {
      const [only] = await all(this.generateContentStream(request, signal));
      return only ?? responseFrom({});
    },
  };
}

test("a broken stream begins anew, and says so in between", async () => {
  const model = attempts(["Hal", busy()], ["Hello", " you"]);
  const events = await all(streamWithRetries(model, question(), { policy: QUICK }));
  expect(events.map(({ kind }) => kind)).toEqual(["chunk", "retry", "chunk", "chunk"]);
  expect(events[1]).toMatchObject({ attempt: 1, reason: "Busy." });
  expect(finalText(events)).toBe("Hello you");
});

test("what no attempt can mend is thrown at once", async () => {
  const refused = new ModelError({ code: "MODEL_KEY_REFUSED", what: "No." });
  const model = attempts([refused], ["Hello"]);
  expect(await failureOf(all(streamWithRetries(model, question(), { policy: QUICK })))).toBe(refused);
  expect(model.asked()).toBe(1);
});

test("a bug of ours is not tried again", async () => {
  const bug = new TypeError("x is not a function");
  expect(await failureOf(generateWithRetries(attempts([bug], ["Hello"]), question(), { policy: QUICK }))).toBe(bug);
});

test("after five attempts the last error is thrown, with their number", async () => {
  const model = attempts([busy()], [busy()], [busy()], [busy()], [busy()], ["Hello"]);
  const error = await failureOf(generateWithRetries(model, question(), { policy: QUICK }));
  expect(error).toMatchObject({ code: "MODEL_FAILED", what: "Busy. All 5 attempts failed." });
  expect(model.asked()).toBe(5);
});

test("a response in one piece is retried as well, and each retry is told", async () => {
  const retries: ModelRetry[] = [];
  const model = attempts([busy()], [busy()], ["Hello"]);
  const options = { policy: QUICK, onRetry: (retry: ModelRetry) => void retries.push(retry) };
  expect((await generateWithRetries(model, question(), options)).text).toBe("Hello");
  expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

describe("the wait", () => {
  /** The waits before each attempt; the first retry is never waited for. */
  async function waitBefore(retry: number, error: ModelError): Promise<number> {
    const fast = Array.from({ length: retry - 1 }, () => [busy()]);
    const stop = new AbortController();
    const waits: number[] = [];
    const policy = { attempts: 20, baseMs: 1, maxMs: 30_000 };
    const options = {
      policy,
      signal: stop.signal,
      onRetry: ({ attempt, waitMs }: ModelRetry) => {
        waits.push(waitMs);
        if (attempt === retry) stop.abort();
      },
    };
    await failureOf(generateWithRetries(attempts(...fast, [error], ["Hello"]), question(), options));
    return waits.at(-1) ?? -1;
  }

  test("doubles with every attempt, half of it left to chance", async () => {
    const wait = await waitBefore(5, busy());
    expect(wait).toBeGreaterThanOrEqual(8);
    expect(wait).toBeLessThanOrEqual(16);
  });

  test("is what the server asks for", async () => {
    expect(await waitBefore(1, busy(12_000))).toBe(12_000);
  });

  test("is a minute for a server that asks for an hour", async () => {
    expect(await waitBefore(1, busy(3_600_000))).toBe(60_000);
  });

  test("has a limit", async () => {
    const stop = new AbortController();
    let waited = 0;
    const onRetry = ({ waitMs }: ModelRetry) => {
      waited = waitMs;
      stop.abort();
    };
    const policy = { attempts: 2, baseMs: 1_000_000, maxMs: 30_000 };
    await failureOf(generateWithRetries(attempts([busy()]), question(), { policy, onRetry, signal: stop.signal }));
    expect(waited).toBeGreaterThanOrEqual(15_000);
    expect(waited).toBeLessThanOrEqual(30_000);
  });
});

describe("an abort", () => {
  test("ends a wait at once, with its reason", async () => {
    const stop = new AbortController();
    const events = streamWithRetries(attempts([busy(60_000)], ["Hello"]), question(), { signal: stop.signal });
    expect((await events.next()).value).toMatchObject({ kind: "retry", waitMs: 60_000 });
    const waiting = failureOf(events.next());
    stop.abort(new Error("Enough"));
    expect(await waiting).toEqual(new Error("Enough"));
  });

  test("that came before is heard before anything is asked", async () => {
    const model = attempts(["Hello"]);
    const signal = AbortSignal.abort(new Error("Enough"));
    expect(await failureOf(all(streamWithRetries(model, question(), { signal })))).toEqual(new Error("Enough"));
    expect(await failureOf(generateWithRetries(model, question(), { signal }))).toEqual(new Error("Enough"));
    expect(model.asked()).toBe(0);
  });

  test("counts more than the error it causes", async () => {
    const stop = new AbortController();
    const model = attempts(["Hel", busy()], ["Hello"]);
    const events = streamWithRetries(model, question(), { signal: stop.signal });
    await events.next();
    stop.abort(new Error("Enough"));
    expect(await failureOf(events.next())).toEqual(new Error("Enough"));
    expect(model.asked()).toBe(1);
  });
});

test("waits leave no listener behind", async () => {
  const { signal } = new AbortController();
  await generateWithRetries(attempts([busy()], [busy()], ["Hello"]), question(), { policy: QUICK, signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
