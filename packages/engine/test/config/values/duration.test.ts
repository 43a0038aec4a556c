import fc from "fast-check";
import { expect, test } from "vitest";
import { readDuration } from "../../../src/config/values/duration.ts";
import { readSize } from "../../../src/config/values/size.ts";

test.each([
  ["250ms", { ms: 250 }],
  ["5s", { ms: 5_000 }],
  [" 1.5 s ", { ms: 1_500 }],
  ["2m", { ms: 120_000 }],
  ["24h", { ms: 86_400_000 }],
  [30, { ms: 30_000, doubt: 'is read as 30 s; write "30s"' }],
  [0.5, { ms: 500, doubt: 'is read as 0.5 s; write "0.5s"' }],
  [999, { ms: 999_000, doubt: 'is read as 999 s; write "999s"' }],
  [1000, { ms: 1_000, doubt: 'is read as 1000 ms; write "1000ms"' }],
  [5000, { ms: 5_000, doubt: 'is read as 5000 ms; write "5000ms"' }],
  ["30", { error: 'has no unit; write "30s" or "30ms"' }],
  ["5 sec", { error: 'is not a duration; write "250ms", "5s", "2m" or "1h"' }],
  ["-5s", { error: 'is not a duration; write "250ms", "5s", "2m" or "1h"' }],
  ["0s", { error: 'is too short; write "1ms" or more' }],
  [0, { error: 'is too short; write "1ms" or more' }],
  [-3, { error: 'is too short; write "1ms" or more' }],
  [Number.NaN, { error: 'is too short; write "1ms" or more' }],
  [Number.POSITIVE_INFINITY, { error: 'is too long; write "24h" or less' }],
  ["25h", { error: 'is too long; write "24h" or less' }],
  [true, { error: 'is not a duration; write a number with its unit, like "5s"' }],
  [null, { error: 'is not a duration; write a number with its unit, like "5s"' }],
])("a duration written %j is read as %j", (written, read) => {
  expect(readDuration(written)).toEqual(read);
});

test("whatever is read as a duration fits a timer", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.stringMatching(/^\d{1,9}(\.\d)?(ms|s|m|h)$/)), (written) => {
      const read = readDuration(written);
      return "error" in read || (Number.isInteger(read.ms) && read.ms >= 1 && read.ms < 2 ** 31);
    }),
  );
});

test.each([
  ["1MiB", { bytes: 1_048_576 }],
  ["512KiB", { bytes: 524_288 }],
  ["2MB", { bytes: 2_000_000 }],
  ["1.5 KB", { bytes: 1_500 }],
  ["70000", { bytes: 70_000 }],
  [70_000, { bytes: 70_000 }],
  ["100B", { bytes: 100 }],
  ["1 mib", { error: 'is not a size; write "1MiB", "512KiB" or a number of bytes' }],
  [null, { error: 'is not a size; write "1MiB", "512KiB" or a number of bytes' }],
  [-1, { error: 'is not a size; write "1MiB", "512KiB" or a number of bytes' }],
  [0, { error: 'is out of range; write "1MiB"' }],
  ["99999999999GiB", { error: 'is out of range; write "1MiB"' }],
])("a size written %j is read as %j", (written, read) => {
  expect(readSize(written)).toEqual(read);
});
