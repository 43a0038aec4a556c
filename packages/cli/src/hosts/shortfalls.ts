import { EVENTS, type HookEventName } from "@hookline/engine";
import { type Dialect, type HookDeclaration, OUTCOMES, type OutcomeName, takesEffect } from "@hookline/engine/program";

/** What a host cannot do for hooks that are declared. */
export type Shortfall =
  | { readonly kind: "never fires"; readonly event: string; readonly hooks: readonly string[] }
  | {
      readonly kind: "degraded";
      readonly event: string;
      readonly hooks: readonly string[];
      readonly outcome: OutcomeName;
      readonly to: "block" | "stop" | "context";
      readonly says: string;
      /** The host has no way to block: agreed to with --accept-degraded only. */
      readonly needsConsent: boolean;
    };

/** Outcomes that no hook's answer can be without noticing: text that only the person sees is not one. */
const VERDICTS = OUTCOMES.filter((outcome) => outcome !== "message" && outcome !== "allow");

export function shortfallsOf(dialect: Dialect, declared: readonly HookDeclaration[]): readonly Shortfall[] {
  const agentHooks = declared.filter((hook) => runs(hook) && isAgentEvent(hook.eventName));
  const events = [...new Set(agentHooks.map(({ eventName }) => eventName))];
  return events.flatMap((event) => {
    const hooks = agentHooks.filter(({ eventName }) => eventName === event);
    const mapped = Object.values(dialect.events).flatMap((one) => (one.ours === event ? [one] : []));
    if (mapped.length === 0) return [{ kind: "never fires", event, hooks: namesOf(hooks) } satisfies Shortfall];
    const enforcing = namesOf(hooks.filter(takesEffect));
    if (enforcing.length === 0) return [];
    return VERDICTS.flatMap((outcome): readonly Shortfall[] => {
      const able = mapped.map(({ can }) => can[outcome]);
      const [short] = able.flatMap((one) =>
        one.is === "degraded" && one.to !== "person" ? [{ ...one, to: one.to }] : [],
      );
      // Where one event of the host can do it, the others are special cases of it. An objection that is only said is always named.
      const isSpecial = able.some(({ is }) => is === "yes") && short?.to !== "context";
      if (!mayBe(event, outcome) || short === undefined || isSpecial) return [];
      const { to, says } = short;
      return [
        {
          kind: "degraded",
          event,
          hooks: enforcing,
          outcome,
          to,
          says,
          needsConsent: outcome === "block" && to === "stop",
        },
      ];
    });
  });
}

function runs({ off }: HookDeclaration): boolean {
  return off === undefined || off.kind === "untrusted";
}

function isAgentEvent(event: string): event is HookEventName {
  return isEvent(event) && EVENTS[event].vocabulary === "agent";
}

function isEvent(name: string): name is HookEventName {
  return Object.hasOwn(EVENTS, name);
}

/** Blocks, stops and asks are in the event's row; the others depend on the hook. */
function mayBe(event: string, outcome: OutcomeName): boolean {
  const row = isEvent(event) ? EVENTS[event] : undefined;
  if (row === undefined) return false;
  if (outcome === "block" || outcome === "stop" || outcome === "ask") return outcome in row.may;
  return true;
}

function namesOf(hooks: readonly HookDeclaration[]): readonly string[] {
  return [...new Set(hooks.map(({ name }) => name))];
}
