import { createNoopMeter, metrics, ProxyTracerProvider, type Tracer, trace } from "@opentelemetry/api";
import { debug } from "../record/debugLine.ts";
import { EventTelemetry } from "./eventTelemetry.ts";
import { RunMetrics } from "./runMetrics.ts";

export interface TelemetryOptions {
  /** Also write inputs, answers and failure messages into the spans; they may contain any data of the agent. */
  readonly payloads?: boolean;
}

const SCOPE = "@hookline/engine";

/** Finds the program's OpenTelemetry SDK, if there is one. It may be registered at any time. */
export class Telemetry {
  readonly #payloads: boolean;
  // Every event checks which provider is registered; derived objects are created once per provider.
  #tracerProvider: unknown;
  #tracer: Tracer | undefined;
  #meterProvider: unknown;
  #metrics: RunMetrics | undefined;

  constructor({ payloads = false }: TelemetryOptions = {}) {
    this.#payloads = payloads;
  }

  /** Follows one event; undefined while there is no provider. */
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
    // The API returns a proxy, whether or not a provider is registered.
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
