import { isList, isPlain, unwrapped } from "../../events/unwrapped.ts";
import { fieldOf } from "./answer.ts";
import { CONTENTS, TEXTS } from "./answerKeys.ts";
import { KEPT_KEYS, type KeptMembers, mayObject } from "./objectTrack.ts";
import { scanObjects } from "./scanObjects.ts";
import { spelledOutside } from "./spelledObjection.ts";
import { keysOf } from "./verdictWords.ts";

/** Stops on endless values, such as a proxy that returns a new object at every access. */
const MAX_OBJECTS = 1_000_000;
/** An answer may be encoded several times on its way through scripts. Limited, so that reading takes linear time. */
const MAX_ENCODINGS = 4;

/** All objects in a value, at any depth, that may object. `field` is the name of the field that holds the value. */
export function membersIn(value: unknown, field = ""): KeptMembers[] {
  const { plain, encoded } = new Walk(value, field);
  return plain.concat(encoded);
}

/** Whether a field of this name may contain an objection. */
export function mayHoldObjection(field: unknown, key: string): boolean {
  return isObject(field) || (typeof field === "string" && ENCODED.test(field) && isOwn(key));
}

/** Only those in encoded objects: `{"hookSpecificOutput": "{\"permissionDecision\": \"deny\"}"}`. */
export function encodedMembersIn(value: unknown): readonly KeptMembers[] {
  return new Walk(value, "").encoded;
}

/** A part of a value that has not been read yet. */
interface Part {
  readonly value: unknown;
  /** Whether text in it may be an encoded object. */
  readonly isOwn: boolean;
  /** How many encoded texts it was read from. */
  readonly encodings: number;
}

/**
 * Reads a value field by field; fields that throw are left out. Below the top level it reads only plain objects, lists and what `unwrapped`
 * handles, since anything else may lead anywhere. Class instances are still checked for a verdict.
 */
class Walk {
  readonly plain: KeptMembers[] = [];
  readonly encoded: KeptMembers[] = [];
  readonly #seen = new Set<unknown>();
  readonly #open: Part[] = [];

  constructor(value: unknown, field: string) {
    const root: Part = { value, isOwn: isOwn(field), encodings: 0 };
    for (let part: Part | undefined = root; part !== undefined; part = this.#open.pop()) {
      if (this.#seen.has(part.value) || this.#seen.size > MAX_OBJECTS) continue;
      this.#seen.add(part.value);
      this.#read(part, part === root);
    }
  }

  #read(part: Part, isRoot: boolean): void {
    const { value, encodings } = part;
    if (typeof value === "string") {
      if (mayBeEncoded(value, part.isOwn)) this.#readEncoded(value, encodings);
      return;
    }
    if (!isObject(value)) return;
    const content = unwrapped(value);
    if (content !== value) this.#open.push({ ...part, value: content });
    const members = keptMembers(value);
    if (mayObject(members)) (encodings === 0 ? this.plain : this.encoded).push(members);
    if (isRoot || isPlain(value)) this.#openFields(value, part);
  }

  #openFields(value: object, { isOwn: isOwnAbove, encodings }: Part): void {
    const isAList = isList(value);
    for (const key of keysOf(value)) {
      const field = fieldOf(value, key);
      const isOwnField = isOwnAbove && (isAList || isOwn(key));
      if (isObject(field) || mayBeEncoded(field, isOwnField)) {
        this.#open.push({ value: field, isOwn: isOwnField, encodings });
      }
    }
  }

  /** Decodes JSON; a text that only begins like JSON is read as far as possible. */
  #readEncoded(text: string, encodings: number): void {
    const value = encodings < MAX_ENCODINGS ? parse(text) : undefined;
    if (value !== undefined) {
      this.#open.push({ value, isOwn: true, encodings: encodings + 1 });
      return;
    }
    const { objects } = scanObjects(text);
    for (const members of objects) this.encoded.push(members);
    const spelled = objects.length > 0 ? [] : spelledOutside(text, []).filter(({ code }) => code === undefined);
    for (const { line } of spelled) this.encoded.push({ decision: "block", reason: line });
  }
}

/**
 * Whether text in this field may contain an encoded object. Not in `TEXTS` and `CONTENTS`: they quote commands and files, and
 * writing a file that contains a denial would be blocked.
 */
const isOwn = (key: string): boolean => !TEXTS.has(key) && !CONTENTS.has(key);

/** It begins like JSON, or with the fence that models put around JSON. */
const ENCODED = /^\s*(?:["[{]|```)/;

function mayBeEncoded(field: unknown, isOwnField: boolean): field is string {
  return isOwnField && typeof field === "string" && ENCODED.test(field);
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function keptMembers(value: object): KeptMembers {
  const members: KeptMembers = {};
  for (const key of KEPT_KEYS) {
    const field = fieldOf(value, key);
    if (field !== undefined) members[key] = field;
  }
  return members;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
