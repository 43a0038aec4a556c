import { takesEffect } from "../../config/hooks/hookDeclaration.ts";
import { plainWords } from "../../config/hooks/pattern.ts";
import { EVENTS } from "../../events/catalog.ts";
import type { EventCatalog, EventSpec } from "../../events/eventSpec.ts";
import { KNOWN_TOOLS, namesOf, type ToolNames } from "../../events/toolNames.ts";
import { type HookConfig, hookConfigOf } from "../hookConfig.ts";
import { type Fields, valueAt } from "../run/rewrites.ts";
import { mergeDuplicates } from "./duplicates.ts";
import { type HookRegistry, type HookRegistryEntry, idleReason } from "./hookRegistry.ts";
import { compileConditions, compileSubject, type SubjectMatcher } from "./matcher.ts";

/** The input of planning. It never reads the payload, except for the fields that a YAML condition names. */
export interface HookEventContext {
  /** The value that matchers are tested against: the tool of a tool event, the trigger or reason of a session event. */
  readonly subject?: string | undefined;
  /** The subject of a tool event, as an alternative to `subject`. */
  readonly toolName?: string | undefined;
  /** The subject of a session event, likewise. */
  readonly trigger?: string | undefined;
  /** Further names of the subject in addition to the known tool aliases, such as an ability's operation keys. */
  readonly aliases?: readonly string[] | undefined;
  readonly fields?: Fields | undefined;
}

export interface PlannedHook {
  readonly entry: HookRegistryEntry;
  /** The name under which this hook sees the event's subject. */
  readonly subject: string | undefined;
  readonly duplicates: readonly HookRegistryEntry[];
}

/** Only hooks that enforce and block are links of the plan; the others observe. */
export function isLink({ entry }: PlannedHook): boolean {
  return takesEffect(entry.config);
}

/** A hook that matched but does not run, with the reason. */
export interface SkippedHook {
  readonly entry: HookRegistryEntry;
  readonly reason: string;
}

export interface HookExecutionPlan {
  readonly eventName: string;
  readonly hooks: readonly PlannedHook[];
  /** The definitions of these hooks, in the same order; a new list each time. */
  readonly hookConfigs: HookConfig[];
  readonly sequential: boolean;
  /** The hooks whose answers count, and those that only observe. */
  readonly links: readonly PlannedHook[];
  /** The link, if the plan has exactly one. */
  readonly only: PlannedHook | undefined;
  readonly observers: readonly PlannedHook[];
  readonly skipped: readonly SkippedHook[];
}

interface CompiledHook {
  readonly entry: HookRegistryEntry;
  readonly matches: SubjectMatcher;
  readonly condition: ((fields: Fields) => string | null) | null;
}

interface EventIndex {
  readonly version: number;
  readonly spec: EventSpec;
  /** Hooks that may run. Only they are matched: the matcher of an untrusted hook is not even compiled. */
  readonly hooks: readonly CompiledHook[];
  readonly idle: readonly IdleHook[];
  readonly conditional: boolean;
  readonly cache: Map<string | undefined, Candidates>;
}

/** A hook that never runs; `words` if its matcher consists of plain names. */
interface IdleHook extends SkippedHook {
  readonly words: readonly string[] | undefined;
}

/** The hooks that match a subject, before the conditions on its fields. */
interface Candidates {
  readonly matched: readonly Candidate[];
  readonly skipped: readonly SkippedHook[];
  readonly conditional: boolean;
  /** The plan if every condition holds. */
  readonly plan: HookExecutionPlan | null;
}

interface Candidate {
  readonly hook: PlannedHook;
  readonly condition: CompiledHook["condition"];
}

/** Models choose the subjects, so their number and length are unbounded; the cache is not. */
const MAX_CACHED_PLANS = 1_000;
const MAX_CACHED_CHARS = 1_000;
/** Limits the idle hooks recorded per event; `explain` and `list` show all. */
const MAX_SKIPPED = 100;

/** Decides first of all which hooks run for an event, in which order and under which name. */
export class HookPlanner {
  readonly #registry: HookRegistry;
  readonly #catalog: EventCatalog;
  readonly #tools: ToolNames;
  readonly #indexes = new Map<string, EventIndex>();

  constructor(registry: HookRegistry, catalog: EventCatalog = EVENTS, tools: ToolNames = KNOWN_TOOLS) {
    this.#registry = registry;
    this.#catalog = catalog;
    this.#tools = tools;
  }

  /** How much of an event planning needs: an event without hooks needs nothing, and few conditions read its input. */
  inputNeeded(eventName: string): "nothing" | "subject" | "fields" {
    const { hooks, idle, conditional } = this.#indexFor(eventName);
    return hooks.length + idle.length === 0 ? "nothing" : conditional ? "fields" : "subject";
  }

  /** Null if nothing matches: the event then costs nothing more. */
  createExecutionPlan(eventName: string, given?: HookEventContext | null): HookExecutionPlan | null {
    const context = withSubject(given ?? {});
    const eventIndex = this.#indexFor(eventName);
    if (eventIndex.hooks.length + eventIndex.idle.length === 0) return null;
    const { conditional, matched, skipped, plan } = this.#candidates(eventName, eventIndex, context);
    if (!conditional) return plan;
    const holding = matched.filter(({ condition }) => !condition || condition(context.fields ?? {}) === null);
    return holding.length === matched.length ? plan : toPlan(eventName, holding, skipped);
  }

  /** For every hook of the event that would not run, the reason. */
  explainMisses(eventName: string, given: HookEventContext): SkippedHook[] {
    const context = withSubject(given);
    const eventIndex = this.#indexFor(eventName);
    const plan = this.createExecutionPlan(eventName, context);
    const planned = new Set(plan?.hooks.map(({ entry }) => entry.config.place));
    const duplicates = plan?.hooks.flatMap(duplicatesOf) ?? [];
    const known = new Set(duplicates.map(({ entry }) => entry));
    const misses = eventIndex.hooks.filter(({ entry }) => !planned.has(entry.config.place) && !known.has(entry));
    return [
      ...eventIndex.idle.map((hook) => ({ entry: hook.entry, reason: this.#idleReason(hook, eventIndex, context) })),
      ...duplicates,
      ...misses.map((hook) => ({ entry: hook.entry, reason: this.#missReason(hook, eventIndex, context) })),
    ];
  }

  /** Uses plain names and globs only: the pattern of an untrusted hook never runs, not even to explain it. */
  #idleReason(hook: IdleHook, { spec }: EventIndex, context: HookEventContext): string {
    if (!mayConcern(hook, this.#names(spec, context))) return subjectMiss(hook.entry, context);
    return compileConditions(hook.entry.config.match, spec)?.(context.fields ?? {}) ?? hook.reason;
  }

  #missReason({ entry, matches, condition }: CompiledHook, { spec }: EventIndex, context: HookEventContext): string {
    const names = this.#names(spec, context);
    if (names.length > 0 && matches(names) === null) return subjectMiss(entry, context);
    return condition?.(context.fields ?? {}) ?? "it does not match";
  }

  #candidates(eventName: string, eventIndex: EventIndex, context: HookEventContext): Candidates {
    const { subject, aliases } = context;
    const key = aliases && aliases.length > 0 ? [subject ?? "", ...aliases].join("\0") : subject;
    const known = eventIndex.cache.get(key);
    if (known !== undefined) return known;
    const candidates = this.#match(eventName, eventIndex, context);
    if (eventIndex.cache.size >= MAX_CACHED_PLANS) eventIndex.cache.clear();
    if (key === undefined || key.length <= MAX_CACHED_CHARS) eventIndex.cache.set(key, candidates);
    return candidates;
  }

  #match(eventName: string, eventIndex: EventIndex, context: HookEventContext): Candidates {
    const names = this.#names(eventIndex.spec, context);
    const matched = eventIndex.hooks.flatMap(({ entry, matches, condition }): Candidate[] => {
      // An event without its subject is the caller's bug: every hook matches, and validation reports it.
      const subject = names.length === 0 ? undefined : matches(names);
      return subject === null ? [] : [{ hook: { entry, subject, duplicates: [] }, condition }];
    });
    const skipped = eventIndex.idle.filter((hook) => mayConcern(hook, names)).slice(0, MAX_SKIPPED);
    return {
      matched,
      skipped,
      conditional: matched.some(({ condition }) => condition !== null),
      plan: toPlan(eventName, matched, skipped),
    };
  }

  #names(spec: EventSpec, { subject, aliases = [] }: HookEventContext): readonly string[] {
    if (subject === undefined || spec.subject === null) return [];
    return spec.subject.kind === "trigger" ? [subject] : [...namesOf(this.#tools, subject), ...aliases];
  }

  #indexFor(eventName: string): EventIndex {
    const known = this.#indexes.get(eventName);
    if (known && known.version === this.#registry.version) return known;
    const spec = this.#catalog[eventName];
    if (!spec) throw new Error(`No event ${eventName} in the catalog`);
    const all = this.#registry.getDeclaredForEvent(eventName).map((entry) => ({ entry, reason: idleReason(entry) }));
    const matchers = new Map<string | undefined, SubjectMatcher>();
    const hooks = all.flatMap(({ entry, reason }) => (reason === null ? [compiled(entry, spec, matchers)] : []));
    const idle = all.flatMap(({ entry, reason }) =>
      reason === null ? [] : [{ entry, reason, words: plainWords(entry.matcher) }],
    );
    const conditional = hooks.some(({ condition }) => condition !== null);
    const eventIndex = { version: this.#registry.version, spec, hooks, idle, conditional, cache: new Map() };
    this.#indexes.set(eventName, eventIndex);
    return eventIndex;
  }
}

function withSubject(context: HookEventContext): HookEventContext {
  const { subject, toolName, trigger } = context;
  const named = toolName ?? trigger;
  return subject !== undefined || named === undefined ? context : { ...context, subject: named };
}

function subjectMiss({ config, matcher }: HookRegistryEntry, { subject = "(no subject)" }: HookEventContext): string {
  const scope = config.match.abilityScope?.join(", ");
  return `${scope ? `ability_scope ${scope}` : `matcher ${matcher}`} does not match ${subject}`;
}

function toPlan(
  eventName: string,
  matched: readonly Candidate[],
  idle: readonly SkippedHook[],
): HookExecutionPlan | null {
  if (matched.length === 0 && idle.length === 0) return null;
  const hooks = mergeDuplicates(matched.map(({ hook }) => hook));
  const links = hooks.filter(isLink);
  return {
    eventName,
    hooks,
    get hookConfigs() {
      return hooks.map(hookConfigOf);
    },
    skipped: [...idle, ...hooks.flatMap(duplicatesOf)],
    sequential: hooks.some(({ entry }) => entry.sequential),
    links,
    only: links.length === 1 ? links[0] : undefined,
    observers: hooks.filter((hook) => !isLink(hook)),
  };
}

function duplicatesOf({ entry, duplicates }: PlannedHook): readonly SkippedHook[] {
  const reason = `the same as "${entry.config.name}", which runs once for both`;
  return duplicates.map((other) => ({ entry: other, reason }));
}

function compiled(
  entry: HookRegistryEntry,
  spec: EventSpec,
  matchers: Map<string | undefined, SubjectMatcher>,
): CompiledHook {
  const { matcher, config } = entry;
  // Ten thousand hooks with the same matcher compile it once.
  const isShared = config.match.abilityScope === undefined && config.off === undefined;
  const matches = (isShared ? matchers.get(matcher) : undefined) ?? compileSubject(matcher, config, spec);
  if (isShared) matchers.set(matcher, matches);
  return { entry, matches, condition: compileConditions(config.match, spec) };
}

/** Whether to record an idle hook: compares plain names, runs no other patterns. */
function mayConcern({ words }: IdleHook, names: readonly string[]): boolean {
  return words === undefined || names.length === 0 || words.some((word) => names.some((name) => name.includes(word)));
}

/** The subject of an input, read from the path in the catalog row. */
export function subjectOf(path: readonly string[], fields: Fields): string | undefined {
  const value = path.length === 0 ? undefined : valueAt(fields, path);
  return typeof value === "string" ? value.toWellFormed() : undefined;
}
