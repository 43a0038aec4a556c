import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryBatch, unpack } from "../../src/writer/entryBatch.ts";

test("entries come out as they went in, in their order, also after a batch was handed over", () => {
  const entry = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.integer({ min: 1, max: 90_000 }).map(long));
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 12 }), { maxLength: 4 }), (batches) => {
      const batch = new EntryBatch();
      for (const entries of batches) {
        for (const one of entries) batch.add(one);
        expect(batch.entries).toBe(entries.length);
        expect(batch.usedBytes).toBe(entries.reduce((sum, one) => sum + one.length, 0));
        const packed = batch.take();
        structuredClone(packed, { transfer: [packed.bytes.buffer] }); // the caller has lost it
        expect(batch.entries).toBe(0);
      }
      for (const one of batches.flat()) batch.add(one);
      const sent = batch.take();
      const received = structuredClone(sent, { transfer: [sent.bytes.buffer] });
      const entries = [...unpack(received)];
      expect(entries.map(({ length }) => length)).toEqual(batches.flat().map(({ length }) => length));
      // Not by `toEqual`, which compares byte by byte, slowly.
      expect(Buffer.concat(entries).equals(Buffer.concat(batches.flat()))).toBe(true);
    }),
    { numRuns: 100 },
  );
});

function long(length: number): Uint8Array {
  return new Uint8Array(length).fill(length % 251);
}
