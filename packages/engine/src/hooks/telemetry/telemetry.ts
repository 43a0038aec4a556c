import { createNoopMeter, metrics, ProxyTracerProvider, type Tracer, trace } from "@opentelemetry/api";
import { debug } from "../record/debugLine.ts";
import { EventTelemetry } from "./eventTelemetry.ts";
import { RunMetrics } from "./runMetrics.ts";

export interface TelemetryOptions {
  /** Also write inputs, answers and failure messages into the spans; they may hold whatever the agent works on. */
  readonly payloads?: boolean;
}

const SCOPE = "@hookline/engine";

/** Finds the OpenTelemetry SDK of the program, where there is one. It may be registered at any time. */
export class Telemetry {
  readonly #payloads: boolean;
  // What is asked for at every event is who is registered; what follows from it is made once per provider.
  #tracerProvider: unknown;
  #tracer: Tracer | undefined;
  #meterProvider: unknown;
  #metrics: RunMetrics | undefined;

  constructor({ payloads = false }: TelemetryOptions = {}) {
    this.#payloads = payloads;
  }

  /** Follows one event; undefined while nobody would read it. */
  follow(): EventTelemetry | undefined {
    try {
      const tracer = this.#currentTracer();
      const runs = this.#currentMetrics();
      return tracer || runs ? new EventTelemetry(tracer, runs, this.#payloads) : undefined;
    } catch (error) {
      debug("telemetry failed: %s", error);
      return undefined;
    }
  }

  #currentTracer(): Tracer | undefined {
    const registered = trace.getTracerProvider();
    // Our copy of the API answers with a proxy, whether or not somebody stands behind it.
    const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered;
    if (provider !== this.#tracerProvider) {
      const isMissing = provider === new ProxyTracerProvider().getDelegate();
      this.#tracer = isMissing ? undefined : provider.getTracer(SCOPE);
      this.#tracerProvider = provider;
    }
    return this.#tracer;
  }

  #currentMetrics(): RunMetrics | undefined {
    const provider = metrics.getMeterProvider();
    if (provider !== this.#meterProvider) {
      const meter = provider.getMeter(SCOPE);
      this.#metrics = meter === createNoopMeter() ? undefined : new RunMetrics(meter);
      this.#meterProvider = provider;
    }
    return this.#metrics;
  }
}
