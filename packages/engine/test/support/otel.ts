import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { onTestFinished } from "vitest";

/** A span as a test compares it: by name instead of by id, without times. */
export function seen(span: ReadableSpan, all: readonly ReadableSpan[]) {
  const parent = all.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  const { name, attributes, status } = span;
  return { name, parent: parent?.name, attributes, status };
}

/** The tracing SDK, registered until the test ends. */
export function registerTracing(sampler?: Sampler) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(sampler ? { sampler } : {}),
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(unregister);
  const spans = () => exporter.getFinishedSpans();
  return { tracer: provider.getTracer("test"), spans, seen: () => spans().map((span) => seen(span, spans())) };
}

/** The metrics SDK, registered until the test ends. */
export function registerMetrics() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(async () => {
    unregister();
    await provider.shutdown();
  });
  return {
    /** Every point of every instrument: its attributes, and how many values it has. */
    async points() {
      await provider.forceFlush();
      const instruments =
        exporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return instruments.map(({ descriptor: { name, unit }, dataPoints }) => ({
        name,
        unit,
        points: dataPoints.map(({ attributes, value }) => ({
          attributes,
          count: typeof value === "object" && "count" in value ? value.count : value,
        })),
      }));
    },
  };
}

export function unregister(): void {
  trace.disable();
  metrics.disable();
  context.disable();
}
