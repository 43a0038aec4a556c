import type { z } from "zod";

/** What an event's hooks may do to the agent; the text in a row describes the effect. */
export type Power = "block" | "stop" | "ask";

/** The value that a matcher is tested against: a field of the input (dotted if nested) and how its names compare. */
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
 * One positional argument of a `fire*Event` call: the field it fills and its form. SDK forms are
 * translated to the stable ones that hooks see.
 */
export interface PositionalSpec {
  readonly field: string;
  readonly form: "text" | "word" | "object" | "flag" | "sdkRequest" | "sdkResponse";
  readonly optional?: true;
}

/** How to read an answer field that has several spellings. */
export type FormName = "llmRequest" | "llmResponse" | "toolConfig";

/** What a signal code means for the action. */
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

/** Everything the engine knows about one event. Shared code reads columns; it never checks for an event's name. */
export interface EventSpec {
  readonly vocabulary: "agent" | "ability";
  readonly fires: string;
  readonly facing: "ai" | "infra";
  /** Fires at most once or twice per session, so keeping a hook warm for it gains nothing. */
  readonly rare: boolean;
  readonly subject: SubjectSpec | null;
  /** The fields in addition to the base ones. */
  readonly input: z.ZodObject;
  /** The arguments of `fire*Event` when a caller lists values instead of passing one object; empty: one object only. */
  readonly positional: readonly PositionalSpec[];
  /** A field that may be left out → the field with the same value, in any case, that stands in for it in a `fire*Event` call. */
  readonly substitutes: Readonly<Record<string, string>>;
  readonly answer: z.ZodType;
  /** Computes fields that follow from others, so that callers need not pass them. */
  readonly complete: ((input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | null;
  readonly may: Readonly<Partial<Record<Power, string>>>;
  /** Keys of `hookSpecificOutput` that take effect; anything else is recorded as ignored. */
  readonly honours: readonly string[];
  /** Other keys of `hookSpecificOutput` are kept as data for the program that fired the event. */
  readonly keepsData: boolean;
  readonly rewrites: readonly RewriteSpec[];
  /** Fields of `hookSpecificOutput` that have their own form; all others are taken unchanged. */
  readonly forms: Readonly<Record<string, FormName>>;
  /** The answer field that replaces the action itself, such as a synthetic response. */
  readonly standsIn: string | null;
  /** The field with a tool's arguments: if a path in them leads elsewhere, hooks are also asked about its target. */
  readonly pathsIn: string | null;
  /** Fields in which parts nested too deep are withheld. In any other field they make the input invalid. */
  readonly withheld: readonly string[];
  /** In a sequential plan, a later hook also sees the contexts of earlier hooks, at the end of this field. */
  readonly contextChain: string | null;
  readonly conditions: ConditionFields;
  /** Signal kinds that an ability answer may carry, each with its codes and their meaning (`null`: any code, no verdict). */
  readonly signals: Readonly<Record<string, Readonly<Record<string, Verdict>> | null>>;
  readonly merge: MergeName;
  readonly output: OutputName;
  /** A plausible input, for `hookline fire` and the reference page. */
  readonly sample: Readonly<Record<string, unknown>>;
}

export type EventCatalog = Readonly<Record<string, EventSpec>>;
