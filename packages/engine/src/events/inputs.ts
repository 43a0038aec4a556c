import type { z } from "zod";
import type { HookSignal } from "./abilitySchemas.ts";
import type { EVENTS, HookEventName } from "./catalog.ts";
import type { NoMisspellings } from "./misspelling.ts";

/** The fields that every hook receives. */
export type HookInput = {
  session_id: string;
  /** Empty if there is none. */
  transcript_path: string;
  cwd: string;
  hook_event_name: string;
  /** ISO 8601. */
  timestamp: string;
  /** A guard runs again: another hook rewrote the input, or a path in it leads elsewhere. */
  second_pass?: boolean;
};

/** The fields of an event as a program passes them: those with a default are optional, and some may be told by another. */
export type EventFields<
  Name extends HookEventName,
  Fields = z.input<(typeof EVENTS)[Name]["input"]>,
  Substitutes = (typeof EVENTS)[Name]["substitutes"],
> =
  | Fields
  | (keyof Substitutes extends never
      ? never
      : Omit<Fields, keyof Substitutes> & Required<Pick<Fields, Substitutes[keyof Substitutes] & keyof Fields>>);

/** An input as a program builds it. */
type BuiltInput<Name extends HookEventName> = Omit<HookInput, "hook_event_name"> & {
  hook_event_name: Name;
} & EventFields<Name>;

export type BeforeToolInput = BuiltInput<"BeforeTool">;
export type AfterToolInput = Omit<BuiltInput<"AfterTool">, "tool_response"> & {
  tool_response: Readonly<Record<string, unknown>>;
};
export type BeforeAgentInput = BuiltInput<"BeforeAgent">;
export type AfterAgentInput = BuiltInput<"AfterAgent">;
export type BeforeModelInput = BuiltInput<"BeforeModel">;
export type AfterModelInput = BuiltInput<"AfterModel">;
export type BeforeToolSelectionInput = BuiltInput<"BeforeToolSelection">;
export type SessionStartInput = BuiltInput<"SessionStart">;
export type SessionEndInput = BuiltInput<"SessionEnd">;
export type NotificationInput = BuiltInput<"Notification">;
export type PreCompressInput = BuiltInput<"PreCompress">;

/** The contexts of ability events. */
type AbilityContext<Name extends HookEventName, Session> = { event_type: Name } & Session &
  z.input<(typeof EVENTS)[Name]["input"]>;
type InSession = { session_id: string };
type MaybeInSession = { session_id?: string };

export type PromptSubmitContext = AbilityContext<"PromptSubmit", InSession>;
export type PreAbilityCreateContext = AbilityContext<"PreAbilityCreate", MaybeInSession>;
export type PreAbilityCallContext = AbilityContext<"PreAbilityCall", MaybeInSession>;
export type PostAbilityCallContext = AbilityContext<"PostAbilityCall", MaybeInSession>;
export type SessionStopContext = AbilityContext<"SessionStop", InSession>;

/** Who called an ability. */
export type InvocationSource = PreAbilityCallContext["caller"]["source"];

export type HookSignalKind = "routing_hint" | "normalized_intent" | "ability_preflight" | "ability_guard";

/** The answer of the ability vocabulary. */
export interface HookResult {
  readonly logs?: readonly string[];
  readonly usage_recorded?: boolean;
  /** `source_event` and `hook_id` are filled in if missing. */
  readonly hook_signals?: readonly (Omit<HookSignal, "source_event" | "hook_id" | "kind"> & {
    readonly source_event?: string;
    readonly hook_id?: string;
    readonly kind: HookSignalKind;
  })[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** The answer of the agent vocabulary. */
export interface HookAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  readonly decision?: "allow" | "approve" | "deny" | "block" | "ask";
  readonly reason?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  /** Other names of `llm_request`, `llm_response` and `toolConfig` in `hookSpecificOutput`. */
  readonly modifiedRequest?: object;
  readonly syntheticResponse?: object;
  readonly modifiedResponse?: object;
  readonly toolConfig?: object;
}

/** Events that a program adds to the catalog: declare them here by module augmentation, to register hooks on them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by the programs that need it
export interface CustomEvents {}

interface Types<Input, Answer> {
  readonly input: Input;
  readonly answer: Answer;
}

type Misspellings = NoMisspellings<keyof HookAnswer | keyof HookResult>;

/** Refuses every misspelt field, in a type that is written down. Editors offer these fields, too. */
export type Spelt<Returned> =
  Returned extends Promise<infer Later>
    ? Promise<Spelt<Later>>
    : Returned extends object
      ? Returned & Misspellings
      : Returned;

/** Refuses the misspelt fields that an inferred type has. It adds no others, which editors would offer. */
export type SpeltAsInferred<Returned> = Refused<MisspeltIn<Exclude<Returned, Promise<unknown>>>> &
  (Extract<Returned, Promise<unknown>> extends Promise<infer Later>
    ? [MisspeltIn<Later>] extends [never]
      ? unknown
      : Promise<Refused<MisspeltIn<Later>>>
    : unknown);

/** Those that are not refused already. */
type MisspeltIn<Answer> = Answer extends object
  ? {
      [Field in keyof Answer & keyof Misspellings]-?: Answer[Field] extends Misspellings[Field] ? never : Field;
    }[keyof Answer & keyof Misspellings]
  : never;

type Refused<Fields extends keyof Misspellings> = [Fields] extends [never] ? unknown : Pick<Misspellings, Fields>;

/** What hooks of each event receive, with all defaults, and what they may answer. */
type HookTypes = {
  [Name in HookEventName]: {
    readonly input: Omit<HookInput, "hook_event_name"> & { hook_event_name: Name } & z.output<
        (typeof EVENTS)[Name]["input"]
      >;
    /** Ability events accept an objection in either vocabulary. */
    readonly answer: (typeof EVENTS)[Name]["output"] extends "ability" ? HookResult | HookAnswer : HookAnswer;
  };
} & {
  [Name in keyof CustomEvents]: Types<CustomInput & { hook_event_name: Name }, HookAnswer | HookResult>;
} & { readonly any: Types<Record<string, unknown>, unknown> };

type CustomInput = HookInput & Record<string, unknown>;

/** An event's name, or `"any"` for a hook whose event is not known in advance. */
export type HookedEvent = keyof HookTypes & string;

/** What a hook function may return; one without an answer need not return anything. */
export type Returnable<Name extends HookedEvent> =
  | HookTypes[Name]["answer"]
  | undefined
  | void
  // biome-ignore lint/suspicious/noConfusingVoidType: an asynchronous one need not, either
  | Promise<HookTypes[Name]["answer"] | undefined | void>;

/** A hook function: of the program itself, of a plugin or of a worker. */
export type HookFunction<Name extends HookedEvent, Context, Returned = Spelt<Returnable<Name>>> = (
  input: HookTypes[Name]["input"],
  context: Context,
) => Returned;
