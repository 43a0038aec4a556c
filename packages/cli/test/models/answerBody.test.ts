import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ANSWER_BYTES, MAX_LINE_BYTES, readBody, serverEvents } from "../../src/models/answerBody.ts";
import { all } from "../support/modelCalls.ts";

const SERVICE = { name: "The server", model: "m", keyVariable: "KEY" };

async function* bytes(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
}

test.each([
  ["one event", "data: a\n\n", ["a"]],
  ["line ends of Windows", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["comments and other fields", ": ping\n\nevent: x\nid: 1\ndata: a\n\n", ["a"]],
  ["data of several lines", "data: a\ndata: b\n\n", ["a\nb"]],
  ["data without a space", "data:a\n\n", ["a"]],
  ["an end without an empty line", "data: a\n\ndata: b", ["a", "b"]],
  ["nothing", "", []],
])("%s", async (_name, text, events) => {
  expect(await all(serverEvents(SERVICE, bytes(text)))).toEqual(events);
});

test("events are the same wherever the bytes are cut", async () => {
  const whole = new TextEncoder().encode("data: häppy 👩‍🚀\r\n\r\ndata: two\n\n: x\ndata: three\n\n");
  const cuts = fc.array(fc.nat({ max: whole.length }));
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const sorted = [0, ...places.toSorted((a, b) => a - b), whole.length];
      const pieces = sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end));
      expect(await all(serverEvents(SERVICE, bytes(...pieces)))).toEqual(["häppy 👩‍🚀", "two", "three"]);
    }),
  );
});

const MEBIBYTE = 1024 ** 2;
const filled = (size: number) => Buffer.alloc(size, "x");
const times = (count: number, size: number) => Array.from({ length: count }, () => filled(size));

test("a line, an event and an answer have an end, and no further attempt is made", async () => {
  const oneLine = bytes("data: ", ...times(17, MEBIBYTE));
  await expect(all(serverEvents(SERVICE, oneLine))).rejects.toMatchObject({
    what: "The server sent an event of more than 16 MB, which is not read.",
    isTransient: false,
  });
  const lines = Array.from({ length: 3 }, () => ["data: ", filled(8 * MEBIBYTE), "\n"]).flat();
  await expect(all(serverEvents(SERVICE, bytes(...lines)))).rejects.toThrow("an event of more than 16 MB");
  await expect(readBody(SERVICE, bytes(...times(65, MEBIBYTE)))).rejects.toThrow("an answer of more than 64 MB");
});

test("what is just within the bounds is read", async () => {
  const [[line = ""], text] = [
    await all(serverEvents(SERVICE, bytes("data: ", filled(MAX_LINE_BYTES - 6), "\n\n"))),
    await readBody(SERVICE, bytes(filled(MAX_ANSWER_BYTES))),
  ];
  expect([line.length, text.length]).toEqual([MAX_LINE_BYTES - 6, MAX_ANSWER_BYTES]);
});

test("bytes that come one by one take no longer than they are many", { timeout: 60_000 }, async () => {
  const whole = Buffer.from(`data: ${"x".repeat(300_000)}\n\n`);
  const single = async function* () {
    for (let at = 0; at < whole.length; at++) yield whole.subarray(at, at + 1);
  };
  expect((await all(serverEvents(SERVICE, single())))[0]).toHaveLength(300_000);
});

test.each(["<!doctype html>\n<p>Log in", "  <html>", "Service unavailable"])("%j is no answer", async (text) => {
  await expect(all(serverEvents(SERVICE, bytes(text)))).rejects.toMatchObject({ isTransient: false });
});
