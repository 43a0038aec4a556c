import { wrapContext } from "../answer/hookText.ts";
import { jsonPieces } from "./jsonPieces.ts";
import { applyChanges, type Fields, valueAt } from "./rewrites.ts";

/** How one hook sees an event: the subject's name, the pass, and the contexts of earlier hooks. */
export interface View {
  readonly subjectPath: readonly string[];
  readonly subject: string | undefined;
  readonly secondPass: boolean;
  readonly contextField: string | null;
  readonly contexts: readonly string[];
}

/** One state of an event's input. Rewrites create a new one; each view of it is serialised at most once. */
export class EventValue {
  readonly fields: Fields;
  #texts: Map<string, readonly string[]> | undefined;
  #serialised: Map<string, Buffer> | undefined;

  constructor(fields: Fields) {
    this.fields = fields;
  }

  /** The view as JSON, in pieces, shared by all hooks with the same view. */
  json(view: View): readonly string[] {
    const key = viewKey(view);
    this.#texts ??= new Map();
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const pieces = jsonPieces(this.seen(view));
    this.#texts.set(key, pieces);
    return pieces;
  }

  /** The same as bytes. */
  bytes(view: View): Buffer {
    const key = viewKey(view);
    this.#serialised ??= new Map();
    const known = this.#serialised.get(key);
    if (known) return known;
    const [only = "", ...others] = this.json(view);
    const bytes =
      others.length === 0 ? Buffer.from(only) : Buffer.concat([only, ...others].map((one) => Buffer.from(one)));
    this.#serialised.set(key, bytes);
    return bytes;
  }

  /** The size of the view as JSON in bytes; undefined if it was never serialised. */
  knownSize(view: View): number | undefined {
    const key = viewKey(view);
    const pieces = this.#texts?.get(key);
    return this.#serialised?.get(key)?.length ?? pieces?.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }

  /** A separate copy of the view: changes by an in-process hook affect no other hook. */
  copy(view: View): Record<string, unknown> {
    return copyFields(this.seen(view));
  }

  /** The view itself, for reading only: the event's own object if the view changes nothing. */
  seen(view: View): Fields {
    const { subjectPath, subject, secondPass, contextField, contexts } = view;
    const renamed = subject !== undefined && valueAt(this.fields, subjectPath) !== subject;
    if (!renamed && !secondPass && contexts.length === 0) return this.fields;
    const changes = renamed ? [{ path: subjectPath, value: subject }] : [];
    const fields: Record<string, unknown> = { ...applyChanges(this.fields, changes) };
    if (secondPass) fields.second_pass = true;
    if (contextField !== null && contexts.length > 0)
      fields[contextField] = `${fields[contextField]}${chained(contexts)}`;
    return fields;
  }
}

/** The text that a chained hook finds after the value: the contexts of earlier hooks. */
export function chained(contexts: readonly string[]): string {
  return contexts.map((context) => `\n\n${wrapContext(context)}`).join("");
}

function viewKey({ subject, secondPass, contexts }: View): string {
  return contexts.length === 0 ? `${secondPass}:${subject}` : JSON.stringify([secondPass, subject, contexts]);
}

/** Shares strings, copies containers; about ten times cheaper than structuredClone on small inputs. */
function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(copyJson) : copyFields(value);
}

function copyFields(value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const field = copy[key];
    if (typeof field === "object" && field !== null) copy[key] = copyJson(field);
  }
  return copy;
}
