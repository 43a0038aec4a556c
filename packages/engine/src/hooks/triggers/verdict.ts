import { type Answer, objects } from "../answer/answer.ts";
import type { DefaultHookOutput } from "../answer/hookOutput.ts";
import { neutralise } from "../answer/hookText.ts";
import type { AggregatedHookResult } from "../merge/hookAggregator.ts";
import { isLink } from "../plan/hookPlanner.ts";

/** The hooks' verdict on an event. Empty fields are absent; texts are safe to show to a model. */
export interface HookVerdict {
  readonly blocked: boolean;
  readonly stopped?: boolean;
  /** The reasons of all hooks that object or ask. */
  readonly reason?: string;
  /** Names of the hooks that object, or whose rewrite cannot be read; absent if hooks could not run. */
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
      ? { reason: neutralise(reasonOf(fired, output)), ...(objectors.length > 0 ? { objectors } : {}) }
      : {}),
    ...messageOf(output),
  };
}

/** Every objector's reason, in plan order. The merged output keeps the reasons of stops apart from those of blocks. */
function reasonOf({ results }: Pick<AggregatedHookResult, "results">, output: DefaultHookOutput): string {
  const effective = output.getEffectiveReason();
  if (!output.stopReason || !output.reason) return effective;
  const quoted = results.flatMap(({ hook, answer }) =>
    answer && isLink(hook) && objects(answer) ? effectiveReasons(answer) : [],
  );
  const ours = effective.split("\n").filter((line) => !quoted.some((reason) => reason.includes(line)));
  return [...new Set([...quoted, ...ours])].join("\n");
}

function effectiveReasons({ stopReasons, reasons }: Answer): readonly string[] {
  return stopReasons.length > 0 ? stopReasons : reasons;
}

/** The hooks that denied or asked, in plan order; optionally only those with one kind of objection. */
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
