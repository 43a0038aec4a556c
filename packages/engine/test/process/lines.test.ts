import fc from "fast-check";
import { expect, test } from "vitest";
import { Lines } from "../../src/process/lines.ts";

function read(chunks: readonly Buffer[], limitBytes: number) {
  const lines: { text: string; truncated: boolean }[] = [];
  const splitter = new Lines(limitBytes, (text, truncated) => lines.push({ text, truncated }));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.flush();
  return lines;
}

/** The bytes in chunks of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test("the same lines come out, wherever the stream is cut, also within a character", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 }).map((word) => word.replaceAll("\n", " "));
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 10 }), sizes, (lines, pieces) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const got = read(cut(bytes, pieces), 10_000).map((line) => line.text);
      // An empty line that is cut off from its end says nothing, and is left out.
      expect(got.filter((line) => line !== "")).toEqual(lines.filter((line) => line !== ""));
    }),
  );
});

test("a line keeps at most the limit, says so, and the next one is whole again", () => {
  const bytes = Buffer.from(`${"a".repeat(25)}\nshort\n`);
  for (const size of [1, 7, 100]) {
    expect(read(cut(bytes, [size]), 10)).toEqual([
      { text: "a".repeat(10), truncated: true },
      { text: "short", truncated: false },
    ]);
  }
});

test("what there is of a line is taken as one when the stream ends", () => {
  expect(read([Buffer.from("whole\nhalf")], 100).map(({ text }) => text)).toEqual(["whole", "half"]);
});
