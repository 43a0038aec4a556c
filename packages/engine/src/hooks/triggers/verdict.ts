import { type Answer, objects } from "../answer/answer.ts";
import type { DefaultHookOutput } from "../answer/hookOutput.ts";
import { neutralise } from "../answer/hookText.ts";
import type { AggregatedHookResult } from "../merge/hookAggregator.ts";
import { isLink } from "../plan/hookPlanner.ts";

/** What the hooks of an event came to. Only what was said is there; texts are safe to put before a model. */
export interface HookVerdict {
  readonly blocked: boolean;
  readonly stopped?: boolean;
  /** Of whoever objects or asks. */
  readonly reason?: string;
  /** Their names, or of those whose rewrite cannot be read; none where hooks could not be asked. */
  readonly objectors?: readonly string[];
  /** A note for the model. */
  readonly systemMessage?: string;
}

const NO_OBJECTION: HookVerdict = Object.freeze({ blocked: false });

export function verdictOf(fired: Pick<AggregatedHookResult, "finalOutput" | "results">): HookVerdict {
  const { finalOutput: output } = fired;
  if (!output) return NO_OBJECTION;
  const blocked = output.isBlockingDecision();
  const stopped = output.shouldStopExecution();
  const objectors = objectorsOf(fired);
  return {
    blocked,
    ...(stopped ? { stopped } : {}),
    ...(blocked || stopped || output.isAskDecision()
      ? { reason: neutralise(output.getEffectiveReason()), ...(objectors.length > 0 ? { objectors } : {}) }
      : {}),
    ...messageOf(output),
  };
}

/** Who said no, or left it to a person, in plan order; or only those whose objection is of one kind. */
export function objectorsOf(
  { results }: Pick<AggregatedHookResult, "results">,
  isMeant: (answer: Answer) => boolean = objects,
): string[] {
  const objecting = results.filter(({ hook, answer }) => answer && isLink(hook) && isMeant(answer));
  return [...new Set(objecting.map(({ hook }) => hook.entry.config.name))];
}

export function stoppersOf(fired: Pick<AggregatedHookResult, "results">): string[] {
  return objectorsOf(fired, ({ stops }) => stops);
}

export function messageOf(output: DefaultHookOutput | undefined): { readonly systemMessage?: string } {
  return output?.systemMessage ? { systemMessage: neutralise(output.systemMessage) } : {};
}
