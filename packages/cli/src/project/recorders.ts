import type { Recorder } from "@hookline/engine";

/** One for several: each hears of everything, and an objection waits for all that keep it. */
export function together(...recorders: readonly Recorder[]): Recorder {
  return {
    record(record) {
      for (const recorder of recorders) recorder.record(record);
    },
    async commit() {
      await Promise.all(recorders.map((recorder) => recorder.commit?.()));
    },
  };
}
