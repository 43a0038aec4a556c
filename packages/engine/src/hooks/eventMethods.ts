import type { z } from "zod";
import type { EVENTS, HookEventName } from "../events/catalog.ts";
import type { PositionalSpec } from "../events/eventSpec.ts";
import type { EventFields } from "../events/inputs.ts";
import type { HookOutput, OutputOf } from "./answer/hookOutput.ts";
import type { AggregatedHookResult } from "./merge/hookAggregator.ts";
import type { Fields } from "./run/rewrites.ts";
import type { GenerateContentResponse } from "./sdkTypes.ts";
import type { RequestWithTools } from "./translator/toolList.ts";

export interface FireOptions {
  readonly signal?: AbortSignal;
  /** By `performance.now()`: hooks that the event waits for have timed out then, even if their own timeout is longer. */
  readonly until?: () => number;
  /** Notes for the record of the event, about what becomes of its answer. */
  readonly notes?: (output: HookOutput | undefined) => readonly string[];
  /** Other names of the subject, such as an ability's operation keys. */
  readonly aliases?: readonly string[];
  /** Also wait for hooks that do not block, and return their results. */
  readonly waitForAll?: boolean;
  /** If a path in a tool's arguments leads elsewhere, e.g. through a link, also ask guards about that file. Triggers set this. */
  readonly realPaths?: boolean;
}

type Input<Name extends HookEventName> = z.input<(typeof EVENTS)[Name]["input"]>;
type Fired<Name extends HookEventName> = Promise<AggregatedHookResult<OutputOf<(typeof EVENTS)[Name]["output"]>>>;

/** The type of a positional value, by its form; for text, the type in the event's schema. */
interface FormTypes<Text> {
  readonly text: Text;
  /** Case-insensitive: `Exit` is `exit`. */
  readonly word: Text | Capitalize<Text & string>;
  readonly object: Fields;
  readonly flag: boolean;
  readonly sdkRequest: RequestWithTools;
  readonly sdkResponse: GenerateContentResponse;
}

type Values<Name extends HookEventName, Specs = (typeof EVENTS)[Name]["positional"]> = Specs extends readonly [
  infer Spec extends PositionalSpec,
  ...infer Others,
]
  ? [
      ...(Spec extends { readonly optional: true }
        ? [value?: FormTypes<unknown>[Spec["form"]] | null]
        : [value: FormTypes<Input<Name>[Spec["field"] & keyof Input<Name>]>[Spec["form"]]]),
      ...Values<Name, Others>,
    ]
  : [];

interface FireEvent<Name extends HookEventName> {
  /** A function as input is called only if a hook will see the event. */
  (input: EventFields<Name> | (() => EventFields<Name>), options?: FireOptions): Fired<Name>;
  /** The values that the catalog row lists, in its order. */
  (...values: Listed<Name>): Fired<Name>;
}

type Listed<Name extends HookEventName> = (typeof EVENTS)[Name]["positional"] extends readonly []
  ? [never]
  : [...Values<Name>, options?: FireOptions];

/** One typed method per row of the catalog; it throws on a call that fits neither form. */
export type EventMethods = {
  readonly [Name in HookEventName as `fire${Name}Event`]: FireEvent<Name>;
};
