import { randomUUID } from "node:crypto";
import type { WireToolCall } from "./wire.ts";

interface Gathered {
  readonly id: string;
  name: string;
  arguments: string;
  /** From a server that sends an object instead of JSON text; it may be nested too deeply to serialise. */
  fields?: [string, unknown][];
}

/** Joins the pieces of tool calls: the first has the name, the others more of the arguments. */
export class ToolCalls {
  readonly #calls: Gathered[] = [];
  /** The latest call by index, and by index and id. */
  readonly #open = new Map<string, Gathered>();

  /** `isWhole`: the message is complete, so each entry is a separate call. */
  add({ index, id, function: piece }: WireToolCall, isWhole: boolean): void {
    const isUnnumbered = typeof index !== "number" && !id;
    const isNew = isWhole || (isUnnumbered && Boolean(piece.name));
    const call = this.#callOf(index ?? undefined, id || undefined, isNew);
    call.name ||= piece.name ?? "";
    if (typeof piece.arguments === "string") call.arguments += piece.arguments;
    else if (piece.arguments) {
      call.fields ??= [];
      for (const field of Object.entries(piece.arguments)) call.fields.push(field);
    }
  }

  /** Returns each call once, as parts of a response: some servers send the finish reason twice. */
  take(): readonly Readonly<Record<string, unknown>>[] {
    this.#open.clear();
    return this.#calls.splice(0).map(({ id, name, arguments: text, fields }) => ({
      functionCall: { id, name, args: fields ? Object.fromEntries(fields) : readArguments(text) },
    }));
  }

  /**
   * The index identifies a call. Servers that use the same index for every call send an id with the first piece of each. Without
   * either, a name starts a new call.
   */
  #callOf(index: number | undefined, id: string | undefined, isNew: boolean): Gathered {
    const known = isNew ? undefined : this.#open.get(keyOf(index, id));
    if (known) return known;
    // A result needs the id of its call, so generate a missing one.
    const call: Gathered = { id: id ?? `call_${randomUUID()}`, name: "", arguments: "" };
    this.#calls.push(call);
    this.#open.set(keyOf(index, undefined), call);
    this.#open.set(keyOf(index, call.id), call);
    return call;
  }
}

function keyOf(index: number | undefined, id: string | undefined): string {
  return JSON.stringify([index ?? null, id ?? null]);
}

/**
 * Text that is not a JSON object stays text: the agent must tell the model that these are not arguments, and must not pass a guess
 * of ours to hooks or tools.
 */
function readArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}
