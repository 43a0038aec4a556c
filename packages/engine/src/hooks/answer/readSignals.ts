import type { HookSignal } from "../../events/abilitySchemas.ts";
import type { EventSpec, Verdict } from "../../events/eventSpec.ts";
import { unwrapped } from "../../events/unwrapped.ts";
import { type Answer, fieldOf, isRecord } from "./answer.ts";
import { quote } from "./verdictWords.ts";

/** Who answers: facts that the engine knows, so that no hook can pretend to be another. */
export interface AnsweringHook {
  readonly name: string;
  readonly eventName: string;
}

export interface SignalReading {
  readonly signals: readonly HookSignal[];
  /** The signals that deny or ask. */
  readonly objecting: readonly HookSignal[];
  readonly denies: boolean;
  readonly asks: boolean;
  readonly reasons: readonly string[];
  readonly ignored: readonly string[];
  /** Values that are not signals; they may contain an objection. */
  readonly unread: readonly unknown[];
  /** A code that its kind does not have: it must not be taken for consent. */
  readonly unknownCode: string | undefined;
}

const NO_SIGNALS: SignalReading = {
  signals: [],
  objecting: [],
  denies: false,
  asks: false,
  reasons: [],
  ignored: [],
  unread: [],
  unknownCode: undefined,
};

/** The signals of one hook that its event allows; others are dropped and reported. */
export function readSignals(value: unknown, spec: EventSpec, hook: AnsweringHook): SignalReading {
  if (value === undefined) return NO_SIGNALS;
  if (!Array.isArray(value)) return { ...NO_SIGNALS, ignored: ["hook_signals is not a list"], unread: [value] };
  if (Object.keys(spec.signals).length === 0) {
    const what = `misconfigured: ${value.length} hook_signals on an event that sends none to the AI`;
    return { ...NO_SIGNALS, ignored: [what] };
  }
  const readings = Array.from(value.keys(), (index) => readSignal(fieldOf(value, String(index)), spec, hook));
  const valid = readings.filter((reading) => reading.kind === "signal");
  const objecting = valid.filter(({ verdict }) => verdict !== "allow");
  return {
    signals: valid.map(({ signal }) => signal),
    objecting: objecting.map(({ signal }) => signal),
    denies: objecting.some(({ verdict }) => verdict === "deny"),
    asks: objecting.some(({ verdict }) => verdict === "ask"),
    reasons: objecting.map(({ signal }) => reasonOf(signal)),
    ignored: readings.flatMap((reading) => (reading.kind === "signal" ? [] : [reading.why])),
    unread: readings.flatMap((reading) => (reading.kind === "unread" ? [reading.value] : [])),
    unknownCode: readings.find((reading) => reading.kind === "unknownCode")?.why,
  };
}

/** Adds the event's denial signal, if it has one, to a block in the other vocabulary. */
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

type SignalResult =
  | { readonly kind: "signal"; readonly signal: HookSignal; readonly verdict: Verdict }
  | { readonly kind: "wrongKind"; readonly why: string }
  | { readonly kind: "unknownCode"; readonly why: string }
  | { readonly kind: "unread"; readonly why: string; readonly value: unknown };

function readSignal(value: unknown, spec: EventSpec, hook: AnsweringHook): SignalResult {
  const given = unwrapped(value);
  const [spokenKind, spokenCode, severity, payload] = isRecord(given)
    ? SIGNAL_FIELDS.map((key) => unwrapped(fieldOf(given, key)))
    : [undefined, given];
  const code = typeof spokenCode === "string" ? spokenCode.trim().toUpperCase() : undefined;
  const kind = objectingKind(code, spec) ?? spokenKind;
  if (typeof kind !== "string" || code === undefined) {
    return { kind: "unread", why: "a signal needs a kind and a code", value };
  }
  const codes = Object.hasOwn(spec.signals, kind) ? spec.signals[kind] : undefined;
  if (codes === undefined) {
    const why = `signal kind ${quote(kind)} is not one of ${Object.keys(spec.signals).join(", ")}`;
    return { kind: "wrongKind", why };
  }
  const verdict = codes === null ? "allow" : Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (verdict === undefined) {
    const why = `signal code ${quote(spokenCode)} is not one of ${Object.keys(codes ?? {}).join(", ")}`;
    return { kind: "unknownCode", why };
  }
  const signal = {
    source_event: hook.eventName,
    hook_id: hook.name,
    kind,
    code: codes === null ? String(spokenCode) : code,
    payload,
  };
  const needsHuman = isRecord(payload) && fieldOf(payload, "require_human") === true;
  return {
    kind: "signal",
    signal: isSeverity(severity) ? { ...signal, severity } : signal,
    verdict: verdict === "deny" && needsHuman ? "ask" : verdict,
  };
}

/** An objecting code always objects, whatever the kind says: it has no other meaning. */
function objectingKind(code: string | undefined, spec: EventSpec): string | undefined {
  if (code === undefined) return undefined;
  const isObjection = (codes: Readonly<Record<string, Verdict>> | null) =>
    codes !== null && Object.hasOwn(codes, code) && codes[code] !== "allow";
  return Object.keys(spec.signals).find((kind) => isObjection(spec.signals[kind] ?? null));
}

export const SIGNAL_FIELDS = ["kind", "code", "severity", "payload"];

function reasonOf({ payload, code, hook_id }: HookSignal): string {
  const reason = isRecord(payload) ? fieldOf(payload, "reason") : undefined;
  return typeof reason === "string" && reason ? reason : `${code} by hook "${hook_id}"`;
}

function isSeverity(value: unknown): value is NonNullable<HookSignal["severity"]> {
  return value === "info" || value === "warning" || value === "error";
}
