import type { EventSpec } from "@hookline/engine";

/** What a new hook answers, until somebody writes a rule of their own. */
export interface ExampleAnswer {
  /** marked: to inputs that hold the mark · always: to every input · never: there is nothing to be said on this event */
  readonly when: "marked" | "always" | "never";
  readonly value: Readonly<Record<string, unknown>>;
  /** A part of it that only this answer has, as compact JSON. */
  readonly sign: string;
}

/** What the rule of a new hook looks for. */
export const MARK = "do-not-pass";

/** The strongest answer that the event honours. */
export function exampleAnswer(id: string, { vocabulary, signals, may, honours, merge }: EventSpec): ExampleAnswer {
  const reason = `${id}: the input holds ${MARK}`;
  const denial = denialIn(signals);
  if (denial) {
    const value = { hook_signals: [{ ...denial, severity: "error", payload: { reason } }] };
    return { when: "marked", value, sign: `"code":"${denial.code}"` };
  }
  if ("block" in may) return { when: "marked", value: { decision: "deny", reason }, sign: '"decision":"deny"' };
  if (honours.includes("additionalContext")) {
    const value = { hookSpecificOutput: { additionalContext: `Write here what the model should know (${id}).` } };
    return { when: "always", value, sign: '"additionalContext":' };
  }
  if (vocabulary === "ability" && merge === "infra") {
    return { when: "always", value: { logs: [`${id} was here`] }, sign: '"logs":' };
  }
  return { when: "never", value: {}, sign: "" };
}

function denialIn(signals: EventSpec["signals"]): { readonly kind: string; readonly code: string } | undefined {
  for (const [kind, codes] of Object.entries(signals)) {
    const code = Object.keys(codes ?? {}).find((word) => codes?.[word] === "deny");
    if (code !== undefined) return { kind, code };
  }
  return undefined;
}
