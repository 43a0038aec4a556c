import { inspect } from "node:util";
import { HooklineError } from "../../errors.ts";
import type { TrustPolicy } from "./trustGate.ts";

/** Throws on an unknown value: a misspelled "all" must not leave guards out. */
export function checkedPolicy(policy: unknown): TrustPolicy | undefined {
  if (policy === undefined || policy === "all" || policy === "skip" || isCallback(policy)) return policy;
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `The option "trust" must be "all", "skip" or a function, got ${inspect(policy, { depth: 0 })}.`,
    next: "Correct it where you create the HookSystem; leave it out to refuse untrusted code.",
  });
}

/** Throws unless the answer is a boolean: a callback without a `return` has decided nothing. */
export function checkedDecision(decision: unknown): boolean {
  if (typeof decision === "boolean") return decision;
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `The callback in the option "trust" must return true or false, got ${inspect(decision, { depth: 0 })}.`,
    next: "Return a boolean, or a promise of one.",
  });
}

function isCallback(policy: unknown): policy is Extract<TrustPolicy, (...args: never[]) => unknown> {
  return typeof policy === "function";
}
