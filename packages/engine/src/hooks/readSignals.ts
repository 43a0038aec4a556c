import type { HookSignal } from "../events/abilitySchemas.ts";
import type { EventSpec, Verdict } from "../events/eventSpec.ts";
import { type Answer, isRecord } from "./answer.ts";

/** Who speaks: facts the engine knows, so that no hook can speak in another's name. */
export interface AnsweringHook {
  readonly name: string;
  readonly eventName: string;
}

export interface SignalReading {
  readonly signals: readonly HookSignal[];
  readonly denies: boolean;
  readonly asks: boolean;
  readonly reasons: readonly string[];
  readonly ignored: readonly string[];
}

const NO_SIGNALS: SignalReading = { signals: [], denies: false, asks: false, reasons: [], ignored: [] };

/** The signals of one hook that its event allows; the others are dropped and said. */
export function readSignals(value: unknown, spec: EventSpec, hook: AnsweringHook): SignalReading {
  if (value === undefined) return NO_SIGNALS;
  if (!Array.isArray(value)) return { ...NO_SIGNALS, ignored: ["hook_signals is not a list"] };
  if (Object.keys(spec.signals).length === 0) {
    const what = `misconfigured: ${value.length} hook_signals on an event that sends none to the AI`;
    return { ...NO_SIGNALS, ignored: [what] };
  }
  const readings = value.map((signal) => readSignal(signal, spec, hook));
  const valid = readings.flatMap((reading) => ("signal" in reading ? [reading] : []));
  return {
    signals: valid.map(({ signal }) => signal),
    denies: valid.some(({ verdict }) => verdict === "deny"),
    asks: valid.some(({ verdict }) => verdict === "ask"),
    reasons: valid.filter(({ verdict }) => verdict !== "allow").map(({ signal }) => reasonOf(signal)),
    ignored: readings.flatMap((reading) => ("ignored" in reading ? [reading.ignored] : [])),
  };
}

/** A block in another vocabulary's words gets the signal that says it to the AI, where the event has one. */
export function withDenialSignal(answer: Answer, spec: EventSpec, hook: AnsweringHook): Answer {
  for (const [kind, codes] of Object.entries(spec.signals)) {
    const code = Object.entries(codes ?? {}).find(([, verdict]) => verdict === "deny")?.[0];
    if (code === undefined || answer.signals.some((signal) => signal.code === code)) continue;
    const payload = { reason: answer.reasons.join("\n") };
    const signal = {
      source_event: hook.eventName,
      hook_id: hook.name,
      kind,
      code,
      severity: "error",
      payload,
    } as const;
    return { ...answer, signals: [...answer.signals, signal] };
  }
  return answer;
}

type SignalResult = { signal: HookSignal; verdict: Verdict } | { ignored: string };

function readSignal(value: unknown, spec: EventSpec, hook: AnsweringHook): SignalResult {
  if (!isRecord(value) || typeof value.kind !== "string" || typeof value.code !== "string") {
    return { ignored: "a signal needs a kind and a code" };
  }
  const { kind, code, severity, payload } = value;
  const codes = spec.signals[kind];
  if (codes === undefined) {
    return { ignored: `signal kind ${JSON.stringify(kind)} is not one of ${Object.keys(spec.signals).join(", ")}` };
  }
  const verdict = codes === null ? "allow" : codes[code];
  if (verdict === undefined) {
    return { ignored: `signal code ${JSON.stringify(code)} is not one of ${Object.keys(codes ?? {}).join(", ")}` };
  }
  const signal = { source_event: hook.eventName, hook_id: hook.name, kind, code, payload };
  return {
    signal: isSeverity(severity) ? { ...signal, severity } : signal,
    verdict: verdict === "deny" && isRecord(payload) && payload.require_human === true ? "ask" : verdict,
  };
}

function reasonOf({ payload, code, hook_id }: HookSignal): string {
  const reason = isRecord(payload) ? payload.reason : undefined;
  return typeof reason === "string" && reason ? reason : `${code} by hook "${hook_id}"`;
}

function isSeverity(value: unknown): value is NonNullable<HookSignal["severity"]> {
  return value === "info" || value === "warning" || value === "error";
}
