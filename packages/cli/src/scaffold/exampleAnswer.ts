import type { EventSpec } from "@hookline/engine";

/** The answer of a new hook, until its author replaces the rule. */
export interface ExampleAnswer {
  /** marked: for inputs that contain the mark · always: for every input · never: this event accepts no answer */
  readonly when: "marked" | "always" | "never";
  readonly value: Readonly<Record<string, unknown>>;
  /** A distinctive part of the answer, as compact JSON. */
  readonly sign: string;
}

/** The text that the rule of a new hook looks for. */
export const MARK = "do-not-pass";

/** The strongest answer that the event accepts. */
export function exampleAnswer(id: string, { vocabulary, signals, may, honours, merge }: EventSpec): ExampleAnswer {
  const reason = `${id}: the input contains ${MARK}`;
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
