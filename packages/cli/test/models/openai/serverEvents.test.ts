import fc from "fast-check";
import { expect, test } from "vitest";
import { serverEvents } from "../../../src/models/openai/serverEvents.ts";
import { all } from "../../support/modelCalls.ts";

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
  expect(await all(serverEvents(bytes(text)))).toEqual(events);
});

test("events are the same wherever the bytes are cut", async () => {
  const whole = new TextEncoder().encode("data: häppy 👩‍🚀\r\n\r\ndata: two\n\n: x\ndata: three\n\n");
  const cuts = fc.array(fc.nat({ max: whole.length }));
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const sorted = [0, ...places.toSorted((a, b) => a - b), whole.length];
      const pieces = sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end));
      expect(await all(serverEvents(bytes(...pieces)))).toEqual(["häppy 👩‍🚀", "two", "three"]);
    }),
  );
});
