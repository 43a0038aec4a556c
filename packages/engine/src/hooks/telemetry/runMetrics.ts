import type { Counter, Histogram, Meter } from "@opentelemetry/api";
import { answeredDecision } from "../answer/answer.ts";
import type { RecordOf } from "../record/recorder.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { hookLabel } from "./hookLabel.ts";
import { outcomeOf } from "./runAttributes.ts";

/** How often hooks run, how long they take, and their outcomes. Bounded cardinality. */
export class RunMetrics {
  readonly #runs: Counter;
  readonly #duration: Histogram;

  constructor(meter: Meter) {
    this.#runs = meter.createCounter("hookline.hook.runs", { description: "Runs of hooks", unit: "{run}" });
    this.#duration = meter.createHistogram("hookline.hook.duration", { description: "Time of a run", unit: "ms" });
  }

  ended({ hook, failure, answer, durationMs }: RecordOf<"hookEnded">): void {
    const attributes = {
      [ATTRIBUTES.eventName]: hook.eventName,
      [ATTRIBUTES.hookName]: hookLabel(hook.config),
      [ATTRIBUTES.hookKind]: hook.config.type,
      [ATTRIBUTES.hookOutcome]: outcomeOf(failure),
      [ATTRIBUTES.hookDecision]: answeredDecision(answer),
    };
    this.#runs.add(1, attributes);
    this.#duration.record(durationMs, attributes);
  }
}
