import type { DefaultHookOutput } from "../hookOutput.ts";
import { neutralise } from "../hookText.ts";

/** What the hooks of an event came to. Only what was said is there; texts are safe to put before a model. */
export interface HookVerdict {
  readonly blocked: boolean;
  readonly stopped?: boolean;
  /** Of whoever objects or asks. */
  readonly reason?: string;
  /** A note for the model. */
  readonly systemMessage?: string;
}

const NO_OBJECTION: HookVerdict = Object.freeze({ blocked: false });

export function verdictOf(output: DefaultHookOutput | undefined): HookVerdict {
  if (!output) return NO_OBJECTION;
  const blocked = output.isBlockingDecision();
  const stopped = output.shouldStopExecution();
  return {
    blocked,
    ...(stopped ? { stopped } : {}),
    ...(blocked || stopped || output.isAskDecision() ? { reason: neutralise(output.getEffectiveReason()) } : {}),
    ...messageOf(output),
  };
}

export function messageOf(output: DefaultHookOutput | undefined): { readonly systemMessage?: string } {
  return output?.systemMessage ? { systemMessage: neutralise(output.systemMessage) } : {};
}
