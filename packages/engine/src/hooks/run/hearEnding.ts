import { types } from "node:util";
import type { EventSpec } from "../../events/eventSpec.ts";
import { spellsObjection } from "../../events/objectionPattern.ts";
import { type Answer, type Failure, isRecord, NO_ANSWER } from "../answer/answer.ts";
import { checkAnswer } from "../answer/checkAnswer.ts";
import type { Ending } from "../answer/ending.ts";
import { interpretAnswer } from "../answer/interpretAnswer.ts";
import { readEnding } from "../answer/readEnding.ts";
import type { AnsweringHook } from "../answer/readSignals.ts";
import type { Fields } from "./rewrites.ts";

/** What a run's ending says about an event. */
export interface Heard {
  readonly answer: Answer | undefined;
  /** The hook's own answer, if it is one object that counts unchanged. */
  readonly output: Fields | undefined;
  /** How the run failed. */
  readonly failure: Failure | undefined;
  /** Why the answer itself is a failure: it says so, or its verdict is unclear. */
  readonly badAnswer: Failure | undefined;
  readonly notes: readonly string[];
}

/** Reads, interprets and checks an ending; `seen` is the event as the hook saw it. Never throws. */
export function hearEnding(ended: Ending, spec: EventSpec, hook: AnsweringHook, seen?: Fields): Heard {
  const consent = consentIn(ended);
  if (consent !== undefined && "answer" in consent) return consent;
  const ending = consent ?? ended;
  const reading = readEnding(ending);
  const { answer, output, ignored, failure: badAnswer } = interpretAnswer(reading, spec, hook, seen);
  const { failure, warnings } = reading;
  return {
    answer: answer && checkAnswer(answer, hook.name, spec),
    output,
    failure,
    badAnswer,
    notes: warnings.length + ignored.length === 0 ? NO_NOTES : [...warnings, ...ignored],
  };
}

const NO_NOTES: readonly string[] = [];
const CONSENT: Answer = { ...NO_ANSWER, allows: true };

/**
 * Fast path for the usual answer of a guard: an allow, perhaps with a message, and nothing else, not even a hidden field. Reading
 * it in full takes a sixth of the time of an event. Of a getter, which could give another value at the next reading, what it gave is kept.
 */
function consentIn(ending: Ending): Heard | Ending | undefined {
  try {
    const output = onlyOutput(ending);
    if (!isRecord(output) || types.isProxy(output) || Object.getPrototypeOf(output) !== Object.prototype)
      return undefined;
    const { decision, systemMessage: message } = output;
    const isMessage = typeof message === "string" && message !== "" && message.isWellFormed();
    if (decision !== "allow" || Object.getOwnPropertyNames(output).length !== (isMessage ? 2 : 1)) {
      return ending.kind === "returned" && isGetter(output, "decision")
        ? { ...ending, value: withDecision(output, decision) }
        : undefined;
    }
    const answer = isMessage ? { ...CONSENT, messages: [message] } : CONSENT;
    return { answer, output, failure: undefined, badAnswer: undefined, notes: NO_NOTES };
  } catch {
    return undefined; // a getter threw
  }
}

/** A copy, hidden fields included. */
function withDecision(output: Fields, value: unknown): object {
  const decision = { value, enumerable: true };
  return Object.create(Object.prototype, { ...Object.getOwnPropertyDescriptors(output), decision });
}

function isGetter(output: Fields, name: string): boolean {
  return Object.getOwnPropertyDescriptor(output, name)?.get !== undefined;
}

/** The value of an ending without further fields. A worker's line may have some, even in a field that a repeated key replaced. */
function onlyOutput(ending: Ending): unknown {
  if (ending.kind === "returned") return ending.value;
  if (ending.kind !== "answered" || ending.beside || spellsObjection(ending.line)) return undefined;
  return ending.value;
}
