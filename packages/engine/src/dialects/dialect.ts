import type { HookEventName } from "../events/catalog.ts";
import type { Capabilities, Evidence } from "./capability.ts";
import type { Fields } from "./fields.ts";

/** How one host spells events, inputs, tools and answers. */
export interface Dialect {
  readonly name: string;
  readonly title: string;
  /** How its processes look. */
  readonly agent: AgentFacts;
  /** The version that the evidence "tested" is about. */
  readonly tested: string;
  /** The fields of every payload. */
  readonly base: readonly FieldRow[];
  /** By the host's own name for the event. */
  readonly events: Readonly<Record<string, DialectEvent>>;
  /** A tool that is not listed keeps its name and arguments. */
  readonly tools: readonly DialectTool[];
  /** How names of MCP tools begin; null if the host's names are ours and the payload names the server. */
  readonly mcpPrefix: string | null;
  readonly failure: HostFailure;
}

export interface AgentFacts {
  /** On PATH. */
  readonly program: string;
  /** On npm. */
  readonly packageName: string;
  /** Packages that start the same agent from another program. */
  readonly otherPackages?: readonly string[];
  /** A variable that it sets for everything it starts. */
  readonly mark?: string;
}

/** `ours: null`: recorded and let through. */
export type DialectEvent = MappedEvent | { readonly ours: null; readonly about: string };

export interface MappedEvent {
  readonly ours: HookEventName;
  readonly about?: string;
  readonly rows: readonly FieldRow[];
  /** Fields of ours that are made of several of theirs. */
  readonly derive?: (payload: Fields) => Fields;
  /** Fields of our event that the host does not send: the caller fills them in. */
  readonly lacks?: readonly string[];
  /** Whether the host would send this event for these fields of ours; absent: always. */
  readonly isFor?: (fields: Fields) => boolean;
  /** Where in `hookSpecificOutput` the host expects a rewrite and a replaced result. */
  readonly keys: EventKeys;
  /** Keys of `hookSpecificOutput` that the host reads as we do. */
  readonly passes?: readonly string[];
  readonly encode: (outcome: HostOutcome, event: string) => HostAnswer;
  readonly can: Capabilities;
}

export interface EventKeys {
  /** Whether the host takes it as the whole value or merges it. */
  readonly rewrite?: { readonly key: string; readonly how: "replace" | "merge" };
  readonly replace?: string;
}

/** A field of a payload, their name and ours. `encode` and `decode` see all fields, because shapes depend on the tool. */
export interface FieldRow {
  readonly theirs: string;
  readonly ours: string;
  readonly decode?: (value: unknown) => unknown;
  readonly encode?: (value: unknown, fields: Fields) => unknown;
}

export interface ToolCall {
  readonly tool_name: string;
  readonly tool_input: Fields;
}

export interface DialectTool {
  readonly theirs: string;
  /** Our names for what the tool does. */
  readonly ours: readonly string[];
  /** For the reference: how arguments are renamed, or what happens to the call. */
  readonly about: string;
  /** A call of theirs as calls of ours, at least one; undefined: its arguments cannot be read. */
  readonly decode: (input: Fields) => readonly ToolCall[] | undefined;
  /** The arguments that make one call of ours a call of theirs; undefined: it cannot be said. */
  readonly encode: (call: ToolCall) => Fields | undefined;
}

/** What the host is to be told, after everything that it cannot do has been degraded. `reason` is never empty. */
export interface HostOutcome {
  readonly blocks: boolean;
  readonly stops: boolean;
  readonly asks: boolean;
  readonly reason: string;
  /** In the host's form. */
  readonly rewrite?: unknown;
  /** In our form. */
  readonly replace?: unknown;
  /** What the host sent as the result; for a replacement in the same shape. */
  readonly result?: unknown;
  readonly context?: string;
  readonly message?: string;
  readonly passed: Fields;
}

export interface HostAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface HostFailure {
  /** What happens to the action when a hook does not answer properly. */
  readonly rows: readonly {
    readonly when: string;
    readonly action: "runs" | "is blocked";
    readonly unless?: string;
    readonly evidence: Evidence;
  }[];
  /** How long the host waits for a hook, by its event. */
  readonly timeoutMs: { readonly usual: number; readonly events: Readonly<Record<string, number>> };
  readonly timeoutEvidence: Evidence;
}

/** An answer in our own contract, as hooks print it and as merged outputs hold it. */
export interface OurAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: Fields;
}

/** A call of a host, as events of ours. */
export interface HostEvent {
  readonly kind: "event";
  readonly ours: HookEventName;
  /** One for each thing the call does, such as each file it writes; all of them must pass. */
  readonly parts: readonly EventPart[];
  readonly host: HostFacts;
}

export interface EventPart {
  readonly fields: Fields;
  /** From 1; absent if it is the only one. */
  readonly part?: number;
  /** The arguments may write files that no guard can see: deny it before it runs. */
  readonly unreadable?: true;
}

/** What the host really sent. */
export interface HostFacts {
  readonly name: string;
  readonly version?: string;
  /** How we are plugged into the host. */
  readonly seat?: "command";
  readonly event: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
}

export type DecodedCall =
  | HostEvent
  /** The dialect knows the event, and no event of ours corresponds: recorded and let through. */
  | { readonly kind: "recorded"; readonly event: string }
  /** Recorded, let through, and said once. */
  | { readonly kind: "unknown"; readonly event: string }
  | {
      readonly kind: "invalid";
      readonly event: string;
      readonly ours: HookEventName;
      readonly why: string;
      /** Its own fields are what a hook cannot read: a model may have chosen them. Otherwise the host sent something broken. */
      readonly readable: boolean;
    };
