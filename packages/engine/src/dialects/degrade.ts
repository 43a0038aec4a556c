import { EVENTS } from "../events/catalog.ts";
import type { Neighbour, OutcomeName } from "./capability.ts";
import type { MappedEvent } from "./dialect.ts";
import { adviceFor, type Outcome, replacementText } from "./outcome.ts";

/** An outcome that the host cannot honour, and what it is told instead. */
export interface Degradation {
  readonly from: OutcomeName;
  readonly to: Neighbour;
  readonly says: string;
}

export interface Degraded {
  readonly outcome: Outcome;
  readonly degraded: readonly Degradation[];
  /** What was left out, and why. */
  readonly ignored: readonly string[];
}

export interface DegradeOptions {
  /** Whether the host can put a question to a person in this session. */
  readonly ask: "host" | "deny";
  /** Puts a rewrite in the host's form; undefined if that cannot be done. */
  readonly translate: (rewrite: unknown) => unknown;
}

type Draft = { -readonly [Key in keyof Outcome]: Outcome[Key] };

/**
 * Whatever the host cannot do becomes the stricter neighbour that its table names. An objection stays one, but where the host
 * keeps the action whatever it is told: there it is only said.
 */
export function degrade(event: MappedEvent, given: Outcome, options: DegradeOptions): Degraded {
  const draft: Draft = { ...given };
  const degraded: Degradation[] = [];
  const ignored: string[] = [];
  const step = { event, draft, degraded, ignored };
  degradeAsk(step, options);
  if (draft.blocks || draft.stops) dropUnderObjection(step);
  degradeRewrite(step, options);
  degradeReplacement(step);
  degradeVerdict(step);
  degradeTexts(step);
  for (const name of Object.keys(draft.specific)) {
    if (!event.passes?.includes(name)) ignored.push(`${name}: the host has no such field`);
  }
  return { outcome: draft, degraded, ignored };
}

interface Step {
  readonly event: MappedEvent;
  readonly draft: Draft;
  readonly degraded: Degradation[];
  readonly ignored: string[];
}

function degradeAsk({ event, draft, degraded, ignored }: Step, { ask }: DegradeOptions): void {
  const isVerdict = draft.asks && !draft.blocks && !draft.stops;
  const able = event.can.ask;
  if (!isVerdict || able.is === "no") {
    if (isVerdict) ignored.push("ask: the event cannot be asked about");
    draft.asks = false;
  } else if (able.is === "degraded" || ask === "deny") {
    const { to, says } = able.is === "degraded" ? able : NO_PERSON_TO_ASK;
    object(draft, to, [...draft.reasons, "This needs the approval of a person, but no person can be asked here."]);
    draft.asks = false;
    degraded.push({ from: "ask", to, says });
  }
}

const NO_PERSON_TO_ASK = { to: "block", says: "in this session the host can ask no person" } as const;

function degradeRewrite({ event, draft, degraded, ignored }: Step, { translate }: DegradeOptions): void {
  if (draft.rewrite === undefined) return;
  const able = event.can.rewrite;
  // A person who is asked sees the call as it was, and would approve what the hook wanted changed.
  const theirs = translate(draft.rewrite);
  if (theirs !== undefined && able.is === "yes" && !draft.asks) {
    draft.rewrite = theirs;
  } else if (able.is === "no") {
    ignored.push("rewrite: the host takes none here");
    delete draft.rewrite;
  } else {
    const { to, says } = able.is === "degraded" ? able : NOT_ONE_CALL;
    object(draft, to, [...(draft.asks ? draft.reasons : []), adviceFor(theirs ?? draft.rewrite)]);
    draft.asks = false;
    delete draft.rewrite;
    degraded.push({ from: "rewrite", to, says });
  }
}

const NOT_ONE_CALL = { to: "block", says: "the host's form of the call cannot say the rewrite" } as const;

function degradeReplacement({ event, draft, degraded, ignored }: Step): void {
  const able = event.can.replace;
  if (draft.replace === undefined || able.is === "yes") return;
  if (able.is === "degraded" && !draft.blocks && !draft.stops) {
    object(draft, able.to, [replacementText(draft.replace)]);
    degraded.push({ from: "replace", to: able.to, says: able.says });
  }
  if (able.is === "no") ignored.push("replace: the host takes none here");
  // Where the host has a field for it, it goes with the block.
  if (event.keys.replace === undefined) delete draft.replace;
}

function dropUnderObjection({ event, draft, ignored }: Step): void {
  if (draft.rewrite !== undefined) ignored.push("rewrite: a hook objects to the call");
  delete draft.rewrite;
  if (draft.replace === undefined || EVENTS[event.ours].standsIn !== null) return;
  ignored.push("replace: a hook objects to the result");
  delete draft.replace;
}

/** A stop where only a block exists becomes one, and the reverse. */
function degradeVerdict({ event, draft, degraded, ignored }: Step): void {
  for (const name of ["stop", "block"] as const) {
    const flag = name === "stop" ? "stops" : "blocks";
    const able = event.can[name];
    if (!draft[flag] || able.is === "yes") continue;
    draft[flag] = false;
    if (able.is === "no") {
      ignored.push(`${name}: the host cannot do it here`);
    } else {
      object(draft, able.to, draft.reasons);
      const isSaidAlready = able.to === "context" && degraded.some(({ to }) => to === "context");
      if (!isSaidAlready) degraded.push({ from: name, to: able.to, says: able.says });
    }
  }
}

function degradeTexts({ event, draft, degraded, ignored }: Step): void {
  const { context, message } = event.can;
  if (draft.contexts.length > 0 && context.is === "no") {
    ignored.push("context: the host takes none here");
    draft.contexts = [];
  }
  if (draft.messages.length === 0 || message.is === "yes") return;
  if (message.is === "no") {
    ignored.push("message: the host takes none here");
    draft.messages = [];
  } else {
    degraded.push({ from: "message", to: message.to, says: message.says });
  }
}

/** Where the host keeps the action whatever is said, the objection is still said, as a block. */
function object(draft: Draft, to: Degradation["to"], reasons: readonly string[]): void {
  if (to === "stop") draft.stops = true;
  else draft.blocks = true;
  draft.reasons = reasons;
}
