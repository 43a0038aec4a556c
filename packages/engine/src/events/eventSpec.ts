import type { z } from "zod";

/** What an event lets its hooks do to the agent; the text in a row says what then happens. */
export type Power = "block" | "stop" | "ask";

/** What a matcher is tested against: a field of the input (dotted for nested ones) and how its names behave. */
export interface SubjectSpec {
  readonly field: string;
  /** tool: case-sensitive, with aliases · trigger: case-insensitive · ability: globs over ids and operation keys */
  readonly kind: "tool" | "trigger" | "ability";
}

/** A field of the input that hooks may change. `merge` patches it key by key; `deep` names keys patched one level further. */
export interface RewriteSpec {
  readonly field: string;
  readonly type: "text" | "object";
  readonly how: "replace" | "merge";
  readonly deep?: readonly string[];
}

/**
 * One argument of a `fire*Event` call that lists its values: the field it fills and its form. The SDK's forms are
 * translated to the stable ones that hooks see.
 */
export interface PositionalSpec {
  readonly field: string;
  readonly form: "text" | "word" | "object" | "flag" | "sdkRequest" | "sdkResponse";
  readonly optional?: true;
}

/** How a field of an answer is read where it may be spelled in several ways. */
export type FormName = "llmRequest" | "llmResponse" | "toolConfig";

/** What a signal code says about going on. */
export type Verdict = "allow" | "deny" | "ask";

/** Conditions of a YAML `match` block, each with the input field it reads. */
export interface ConditionFields {
  readonly min_duration_ms?: string;
  readonly only_if_changed_paths?: string;
}

export type MergeName = "strictest" | "stopFirst" | "toolSelection" | "collect" | "signals" | "infra";

export type OutputName =
  | "default"
  | "beforeTool"
  | "afterTool"
  | "beforeAgent"
  | "afterAgent"
  | "beforeModel"
  | "afterModel"
  | "beforeToolSelection"
  | "ability";

/** One event, said once. Shared code reads columns; it never asks for an event's name. */
export interface EventSpec {
  readonly vocabulary: "agent" | "ability";
  readonly fires: string;
  readonly facing: "ai" | "infra";
  /** At most once or twice in a session, so that nothing is gained by keeping a hook warm for it. */
  readonly rare: boolean;
  readonly subject: SubjectSpec | null;
  /** The fields beside the base ones. */
  readonly input: z.ZodObject;
  /** The arguments of `fire*Event` where a caller lists values instead of passing one object; none: one object only. */
  readonly positional: readonly PositionalSpec[];
  readonly answer: z.ZodType;
  /** Fields that follow from the others, so that callers need not say them. */
  readonly complete: ((input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | null;
  readonly may: Readonly<Partial<Record<Power, string>>>;
  /** Keys of `hookSpecificOutput` that take effect; anything else is recorded as ignored. */
  readonly honours: readonly string[];
  /** Other keys of `hookSpecificOutput` are kept as data for the program that fired the event. */
  readonly keepsData: boolean;
  readonly rewrites: readonly RewriteSpec[];
  /** Fields of `hookSpecificOutput` that have a form of their own; all others are taken as they are. */
  readonly forms: Readonly<Record<string, FormName>>;
  /** The field of an answer that takes the place of the action itself, such as a synthetic response. */
  readonly standsIn: string | null;
  /** The field with a tool's arguments: where a path in them leads elsewhere, hooks are asked about that place as well. */
  readonly pathsIn: string | null;
  /** Fields in which a part that is nested too deep is withheld. In any other field it makes the input invalid. */
  readonly withheld: readonly string[];
  /** In a sequential plan, a later hook also sees the contexts of those before it, at the end of this field. */
  readonly contextChain: string | null;
  readonly conditions: ConditionFields;
  /** Signal kinds an ability answer may carry, each with its codes and what they mean (`null`: every code, no verdict). */
  readonly signals: Readonly<Record<string, Readonly<Record<string, Verdict>> | null>>;
  readonly merge: MergeName;
  readonly output: OutputName;
  /** A plausible input, for `hookline fire` and the reference page. */
  readonly sample: Readonly<Record<string, unknown>>;
}

export type EventCatalog = Readonly<Record<string, EventSpec>>;
