import { type Context, context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { debug } from "../record/debugLine.ts";
import type { HookRecord, Recorder, RecordOf } from "../record/recorder.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { hookLabel } from "./hookLabel.ts";
import { capped, runAttributes } from "./runAttributes.ts";
import type { RunMetrics } from "./runMetrics.ts";

const MAX_SUBJECT = 128;

/** One run of a hook that has not ended yet. */
interface OpenRun {
  readonly span: Span;
  /** Not awaited: it may end after its event. */
  readonly background: boolean;
}

/** One event as a span, with a child span for each run of a hook. Lives only as long as its event, so it leaks nothing. */
export class EventTelemetry implements Recorder {
  readonly #tracer: Tracer | undefined;
  readonly #metrics: RunMetrics | undefined;
  readonly #payloads: boolean;
  readonly #runs = new Map<number, OpenRun>();
  #event: Span | undefined;
  #context: Context | undefined;

  constructor(tracer: Tracer | undefined, metrics: RunMetrics | undefined, payloads: boolean) {
    this.#tracer = tracer;
    this.#metrics = metrics;
    this.#payloads = payloads;
  }

  record(record: HookRecord): void {
    switch (record.kind) {
      case "eventMatched":
        this.#openEvent(record);
        break;
      case "hookStarted":
        this.#openRun(record);
        break;
      case "hookEnded":
        this.#closeRun(record);
        this.#metrics?.ended(record);
        break;
      case "hookSkipped":
      case "approval":
        break;
      case "merged":
        this.#closeEvent(record);
    }
  }

  /** Runs a hook so that its own spans become children of its run. The hook runs even if the SDK fails. */
  around<Result>(runId: number, run: () => Result): Result {
    const span = this.#runs.get(runId)?.span;
    if (!span || !this.#context) return run();
    let running = false;
    try {
      return context.with(trace.setSpan(this.#context, span), () => {
        running = true;
        return run();
      });
    } catch (error) {
      if (running) throw error; // thrown by the hook; the runner handles it
      debug("the trace context failed: %s", error);
      return run();
    }
  }

  #openEvent({ eventName, eventId, subject }: RecordOf<"eventMatched">): void {
    if (!this.#tracer) return;
    const caller = context.active();
    this.#event = this.#tracer.startSpan(
      `hookline.event ${eventName}`,
      { attributes: { [ATTRIBUTES.eventName]: eventName } },
      caller,
    );
    // Not sampled, so its children would not be either: samplers follow the parent, or the shared trace id.
    if (!this.#event.isRecording()) return;
    this.#context = trace.setSpan(caller, this.#event);
    this.#event.setAttribute(ATTRIBUTES.eventId, eventId);
    // A model may have invented this name, at any length.
    if (subject !== undefined) this.#event.setAttribute(ATTRIBUTES.eventSubject, subject.slice(0, MAX_SUBJECT));
  }

  #openRun({ runId, hook, pass }: RecordOf<"hookStarted">): void {
    if (!this.#tracer || !this.#context) return;
    const name = hookLabel(hook.config);
    const attributes = {
      [ATTRIBUTES.eventName]: hook.eventName,
      [ATTRIBUTES.hookName]: name,
      [ATTRIBUTES.hookSource]: hook.source,
      [ATTRIBUTES.hookKind]: hook.config.type,
      [ATTRIBUTES.hookPass]: pass,
    };
    const span = this.#tracer.startSpan(`hookline.hook ${name}`, { attributes }, this.#context);
    this.#runs.set(runId, { span, background: pass === "observe" && !hook.config.blocking });
  }

  #closeRun(record: RecordOf<"hookEnded">): void {
    const span = this.#runs.get(record.runId)?.span;
    if (!span) return;
    this.#runs.delete(record.runId);
    if (span.isRecording()) {
      span.setAttributes(runAttributes(record, this.#payloads));
      if (record.failure) span.setStatus(failed(this.#payloads ? record.failure.message : undefined));
    }
    span.end();
  }

  #closeEvent({ decision, success, rewrites }: RecordOf<"merged">): void {
    // After a failure of our own, some runs may have no recorded end.
    for (const [runId, { span, background }] of this.#runs) {
      if (background) continue;
      this.#runs.delete(runId);
      span.setStatus(failed()).end();
    }
    const span = this.#event;
    if (!span) return;
    if (span.isRecording()) {
      span.setAttribute(ATTRIBUTES.eventDecision, decision);
      span.setAttribute(ATTRIBUTES.eventOutcome, success ? "ok" : "failed");
      const fields = new Set(rewrites.flatMap(({ path }) => path.slice(0, 1)));
      if (fields.size > 0) span.setAttribute(ATTRIBUTES.eventRewrites, [...fields]);
      if (!success) span.setStatus(failed());
    }
    span.end();
  }
}

function failed(message?: string): { code: SpanStatusCode; message?: string } {
  const text = capped(message);
  return { code: SpanStatusCode.ERROR, ...(text === undefined ? {} : { message: text }) };
}
