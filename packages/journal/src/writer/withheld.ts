import { createHmac } from "node:crypto";
import type { Fields, Rewrite } from "@hookline/engine/program";
import type { EventEntry, Original, RunEntry } from "../records/entry.ts";

/** Texts of people, models and tools. What a model tried (`tool_input`) is evidence, and stays. */
const TEXTS: readonly string[] = ["llm_response", "llm_request", "prompt", "tool_response"];
/** Fields that repeat a person's text from an earlier event. */
const CARRIED: readonly string[] = ["prompt", "user_raw_input"];
/** Fields that contain a person's text before hooks can rewrite it. */
const EARLY: readonly string[] = ["user_raw_input"];
/** A block withholds these: the agent never received them. */
const RESPONSES: readonly string[] = ["llm_response", "tool_response"];
const SHORTEST_WORD = 6;
const MOST_WORDS = 2_000;
const MOST_EVENTS = 100;

/**
 * How to treat texts that hooks remove: kept (`hooksConfig.journal.originals`), withheld, or withheld even in events
 * before the hooks that may remove them.
 */
export type Originals = "kept" | "withheld" | "withheld early";

/** The parts of an event that must not be kept. */
interface Withheld {
  readonly fields: ReadonlySet<string>;
  /** Words that reveal a repetition of the text. Undefined: too many to search for. */
  readonly words: readonly string[] | undefined;
}

/**
 * Keeps text that a hook removed out of the journal. For an applied rewrite, records the rewritten value; for a blocked
 * response, nothing. Of the original, keeps its length and a digest that only the owner of the key can recognise.
 */
export class Withholding {
  readonly #key: Buffer;
  readonly #originals: Originals;
  /** By event: background hooks may end after it. */
  readonly #recent = new Map<string, Withheld>();
  /**
   * Texts that hooks rewrote, with the results: later events repeat the same text, as AfterAgent repeats the prompt.
   */
  readonly #rewritten = new Map<string, string>();

  constructor(key: Buffer, originals: Originals) {
    this.#key = key;
    this.#originals = originals;
  }

  event(entry: EventEntry): EventEntry {
    const input = fieldsOf(entry.input);
    if (this.#originals === "kept") return entry;
    const known = this.#knownTexts(input);
    const late = new Set([...withheldFields(entry, input), ...Object.keys(known)]);
    const early = this.#earlyTexts(input).filter(([field]) => !late.has(field));
    const fields = new Set([...late, ...early.map(([field]) => field)]);
    if (fields.size === 0) return entry;
    const final = { ...finalInput(entry, { ...input, ...known }, fields), ...Object.fromEntries(early) };
    this.#keepTexts(input, final, late);
    const withheld = { fields, words: wordsOnlyIn(pick(input, fields), pick(final, fields)) };
    this.#remember(entry.eventId, withheld);
    return {
      ...entry,
      input: final,
      originals: Object.fromEntries([...fields].map((field) => [field, this.#original(input[field])])),
      rewrites: entry.rewrites.map((rewrite) => withoutBefore(rewrite, fields)),
      runs: entry.runs.map((run) => withoutText(run, withheld)),
    };
  }

  /** For a hook that ended after its event. */
  run(entry: RunEntry): RunEntry {
    const withheld = this.#recent.get(entry.eventId);
    return withheld ? withoutText(entry, withheld) : entry;
  }

  /** The results for texts in this event that an earlier hook rewrote. */
  #knownTexts(input: Fields): Fields {
    if (this.#rewritten.size === 0) return {};
    const texts = CARRIED.flatMap((field): [string, string][] => {
      const text = input[field];
      const final = typeof text === "string" ? this.#rewritten.get(text) : undefined;
      return final === undefined ? [] : [[field, final]];
    });
    return Object.fromEntries(texts);
  }

  #earlyTexts(input: Fields): readonly (readonly [string, string])[] {
    if (this.#originals !== "withheld early") return [];
    return EARLY.flatMap((field) => (typeof input[field] === "string" ? [[field, note(input[field])] as const] : []));
  }

  #keepTexts(input: Fields, final: Fields, fields: ReadonlySet<string>): void {
    for (const field of fields) {
      const [before, after] = [input[field], final[field]];
      if (typeof before === "string" && typeof after === "string" && before !== after)
        this.#rewritten.set(before, after);
    }
    for (const [oldest] of this.#rewritten) {
      if (this.#rewritten.size <= MOST_EVENTS) break;
      this.#rewritten.delete(oldest);
    }
  }

  #remember(eventId: string, withheld: Withheld): void {
    this.#recent.set(eventId, withheld);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > MOST_EVENTS && oldest !== undefined) this.#recent.delete(oldest);
  }

  #original(value: unknown): Original {
    const text = textOf(value);
    return {
      length: text.length,
      digest: createHmac("sha256", this.#key).update("original").update(text).digest("hex"),
    };
  }
}

function withheldFields({ rewrites, decision }: EventEntry, input: Fields): Set<string> {
  const rewritten = rewrites.flatMap(({ path: [field = ""] }) => (TEXTS.includes(field) ? [field] : []));
  const blocked = decision === "block" ? RESPONSES : [];
  return new Set([...rewritten, ...blocked].filter((field) => input[field] !== undefined && input[field] !== null));
}

function finalInput({ rewrites, decision }: EventEntry, input: Fields, fields: ReadonlySet<string>): Fields {
  const isBlocked = decision === "block";
  const dropped = isBlocked ? RESPONSES.filter((field) => fields.has(field)) : [];
  const gone = Object.fromEntries(dropped.map((field) => [field, note(input[field])]));
  const applied = rewrites.filter(({ path: [field = ""] }) => fields.has(field) && !dropped.includes(field));
  return { ...applied.reduce((value, { path, after }) => replacedAt(value, path, after), input), ...gone };
}

function withoutBefore(rewrite: Rewrite, fields: ReadonlySet<string>): Rewrite {
  return fields.has(rewrite.path[0] ?? "") ? { ...rewrite, before: note(rewrite.before) } : rewrite;
}

/** Leaves out the hook's input, and its output if that repeats the withheld text. */
function withoutText(run: RunEntry, { fields, words }: Withheld): RunEntry {
  const repeats = (text: string) => words === undefined || words.some((word) => text.includes(word));
  const kept = <Value>(value: Value): Value | string => (repeats(textOf(value)) ? note(value) : value);
  const { input, output, stdout, stderr, ...rest } = run;
  const seen = Object.entries(fieldsOf(input)).map(([key, value]) => [key, fields.has(key) ? note(value) : value]);
  return {
    ...rest,
    ...(input === undefined ? {} : { input: Object.fromEntries(seen) }),
    ...(output === undefined ? {} : { output: kept(output) }),
    ...(stdout === undefined ? {} : { stdout: kept(stdout) }),
    ...(stderr === undefined ? {} : { stderr: kept(stderr) }),
  };
}

function note(value: unknown): string {
  return `[withheld: ${textOf(value).length} characters]`;
}

function wordsOnlyIn(original: unknown, final: unknown): readonly string[] | undefined {
  const still = new Set(wordsOf(final));
  const gone = new Set([...wordsOf(original)].filter((word) => word.length >= SHORTEST_WORD && !still.has(word)));
  return gone.size > MOST_WORDS ? undefined : [...gone];
}

function* wordsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield* value.split(/[\s"'`\\,;(){}[\]<>]+/);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* wordsOf(inner);
}

function replacedAt(fields: Fields, [key, ...rest]: readonly string[], value: unknown): Fields {
  if (key === undefined) return fields;
  // A computed key defines "__proto__" as a field; an assignment would change the prototype.
  return { ...fields, [key]: rest.length === 0 ? value : replacedAt(fieldsOf(fields[key]), rest, value) };
}

function pick(fields: Fields, keys: ReadonlySet<string>): readonly unknown[] {
  return [...keys].map((key) => fields[key]);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
