import { expect, test } from "vitest";
import { durationText } from "../../src/terminal/duration.ts";

test.each([
  [0, "0.00 ms"],
  [0.35, "0.35 ms"],
  [1.234, "1.2 ms"],
  [12.345, "12 ms"],
  [1_250, "1.3 s"],
  [240_000, "4 min"],
])("%d ms are shown as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
