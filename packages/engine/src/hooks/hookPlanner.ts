import type { EventCatalog, EventSpec } from "../events/eventSpec.ts";
import { namesOf, type ToolNames } from "../events/toolNames.ts";
import { mergeDuplicates } from "./duplicates.ts";
import type { HookRegistry, HookRegistryEntry } from "./hookRegistry.ts";
import { compileConditions, compileSubject, type SubjectMatcher } from "./matcher.ts";
import { type Fields, valueAt } from "./rewrites.ts";

/** What planning looks at. It never touches the payload, but for the fields a YAML condition names. */
export interface HookEventContext {
  readonly subject?: string | undefined;
  /** Other names of the subject beside the known tool aliases, such as an ability's operation keys. */
  readonly aliases?: readonly string[] | undefined;
  readonly fields?: Fields | undefined;
}

export interface PlannedHook {
  readonly entry: HookRegistryEntry;
  /** The name under which this hook sees the event's subject. */
  readonly subject: string | undefined;
  readonly duplicates: readonly HookRegistryEntry[];
}

/** Only hooks that enforce and block are links of the plan; the others look on. */
export function isLink({ entry }: PlannedHook): boolean {
  return entry.config.mode === "enforce" && entry.config.blocking;
}

/** A hook that matched and does not run, with the reason. */
export interface SkippedHook {
  readonly entry: HookRegistryEntry;
  readonly reason: string;
}

export interface HookExecutionPlan {
  readonly eventName: string;
  readonly hooks: readonly PlannedHook[];
  readonly sequential: boolean;
  /** Those of the hooks whose answers count, and those that only look on. */
  readonly links: readonly PlannedHook[];
  /** The link of a plan that has just one. */
  readonly only: PlannedHook | undefined;
  readonly observers: readonly PlannedHook[];
  readonly skipped: readonly SkippedHook[];
}

interface CompiledHook {
  readonly entry: HookRegistryEntry;
  readonly matches: SubjectMatcher;
  readonly condition: ((fields: Fields) => string | null) | null;
}

interface Lane {
  readonly version: number;
  readonly spec: EventSpec;
  readonly hooks: readonly CompiledHook[];
  readonly conditional: boolean;
  readonly plans: Map<string | undefined, HookExecutionPlan | null>;
}

/** Subjects come from models, so their number has no bound; the cache has. */
const MAX_CACHED_PLANS = 1_000;

/** Decides which hooks run for an event, in which order and under which name, before anything else is done. */
export class HookPlanner {
  readonly #registry: HookRegistry;
  readonly #catalog: EventCatalog;
  readonly #tools: ToolNames;
  readonly #lanes = new Map<string, Lane>();

  constructor(registry: HookRegistry, catalog: EventCatalog, tools: ToolNames) {
    this.#registry = registry;
    this.#catalog = catalog;
    this.#tools = tools;
  }

  /** How much of an event planning needs: an event nobody hooks goes no further, and few conditions read its input. */
  appetite(eventName: string): "nothing" | "subject" | "fields" {
    const { hooks, conditional } = this.#lane(eventName);
    return hooks.length === 0 ? "nothing" : conditional ? "fields" : "subject";
  }

  /** Null when nothing matches: then the event costs nothing more. */
  createExecutionPlan(eventName: string, context: HookEventContext = {}): HookExecutionPlan | null {
    const lane = this.#lane(eventName);
    if (lane.hooks.length === 0) return null;
    if (lane.conditional || context.aliases) return this.#plan(eventName, lane, context);
    const known = lane.plans.get(context.subject);
    if (known !== undefined) return known;
    const plan = this.#plan(eventName, lane, context);
    if (lane.plans.size >= MAX_CACHED_PLANS) lane.plans.clear();
    lane.plans.set(context.subject, plan);
    return plan;
  }

  /** For every hook of the event that would not run: why not. */
  explainMisses(eventName: string, context: HookEventContext): SkippedHook[] {
    const lane = this.#lane(eventName);
    const plan = this.#plan(eventName, lane, context);
    const planned = new Set(plan?.hooks.map(({ entry }) => entry.config.place));
    const skipped = new Set(plan?.skipped.map(({ entry }) => entry));
    const misses = lane.hooks.filter(({ entry }) => !planned.has(entry.config.place) && !skipped.has(entry));
    return [
      ...(plan?.skipped ?? []),
      ...misses.map((hook) => ({ entry: hook.entry, reason: this.#missReason(hook, lane, context) })),
    ];
  }

  #missReason({ entry, matches, condition }: CompiledHook, { spec }: Lane, context: HookEventContext): string {
    const names = this.#names(spec, context);
    if (names.length > 0 && matches(names) === null) {
      const scope = entry.config.match.abilityScope?.join(", ");
      return `${scope ? `ability_scope ${scope}` : `matcher ${entry.matcher}`} does not match ${context.subject ?? "(no subject)"}`;
    }
    return condition?.(context.fields ?? {}) ?? "it does not match";
  }

  #plan(eventName: string, lane: Lane, context: HookEventContext): HookExecutionPlan | null {
    const names = this.#names(lane.spec, context);
    const matched: PlannedHook[] = [];
    const skipped: SkippedHook[] = [];
    for (const { entry, matches, condition } of lane.hooks) {
      // An event without the subject it should have is the caller's bug: every hook matches, and validation says so.
      const subject = names.length === 0 ? undefined : matches(names);
      if (subject === null || (condition && condition(context.fields ?? {}) !== null)) continue;
      const reason = skipReason(entry);
      if (reason !== null) skipped.push({ entry, reason });
      else matched.push({ entry, subject, duplicates: [] });
    }
    if (matched.length === 0 && skipped.length === 0) return null;
    const hooks = mergeDuplicates(matched);
    for (const { entry, duplicates } of hooks) {
      skipped.push(
        ...duplicates.map((other) => ({
          entry: other,
          reason: `the same as "${entry.config.name}", which runs once for both`,
        })),
      );
    }
    const links = hooks.filter(isLink);
    return {
      eventName,
      hooks,
      skipped,
      sequential: hooks.some(({ entry }) => entry.sequential),
      links,
      only: links.length === 1 ? links[0] : undefined,
      observers: hooks.filter((hook) => !isLink(hook)),
    };
  }

  #names(spec: EventSpec, { subject, aliases = [] }: HookEventContext): readonly string[] {
    if (subject === undefined || spec.subject === null) return [];
    return spec.subject.kind === "trigger" ? [subject] : [...namesOf(this.#tools, subject), ...aliases];
  }

  #lane(eventName: string): Lane {
    const known = this.#lanes.get(eventName);
    if (known && known.version === this.#registry.version) return known;
    const spec = this.#catalog[eventName];
    if (!spec) throw new Error(`No event ${eventName} in the catalog`);
    const hooks = this.#registry.getHooksForEvent(eventName).map((entry) => ({
      entry,
      matches: compileSubject(entry.matcher, entry.config.match, spec),
      condition: compileConditions(entry.config.match, spec),
    }));
    const conditional = hooks.some(({ condition }) => condition !== null);
    const lane = { version: this.#registry.version, spec, hooks, conditional, plans: new Map() };
    this.#lanes.set(eventName, lane);
    return lane;
  }
}

/** A broken hook that blocks on errors stays in the plan: its failure to start is what it was declared to guard against. */
function skipReason({ enabled, config, withheld }: HookRegistryEntry): string | null {
  if (enabled || withheld !== undefined) return null;
  const { off, onError } = config;
  if (off === undefined) return "it was disabled in this session";
  switch (off.kind) {
    case "switch":
      return off.what;
    case "untrusted":
      return off.what;
    case "broken":
      return onError === "block" ? null : off.problem.what;
  }
}

/** The subject of an input, read by the path of the catalog row. */
export function subjectOf(path: readonly string[], fields: Fields): string | undefined {
  const value = path.length === 0 ? undefined : valueAt(fields, path);
  return typeof value === "string" ? value : undefined;
}
