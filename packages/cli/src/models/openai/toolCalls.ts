import { randomUUID } from "node:crypto";
import type { WireToolCall } from "./wire.ts";

interface Gathered {
  readonly id: string;
  name: string;
  arguments: string;
  /** From a server that sends the object itself; it may be nested too deep to be written as JSON. */
  fields?: [string, unknown][];
}

/** Tool calls come in pieces: the first has the name, the others more of the arguments. */
export class ToolCalls {
  readonly #calls: Gathered[] = [];
  /** The latest call of each index, and of each index with an id. */
  readonly #open = new Map<string, Gathered>();

  /** `isWhole`: the message is complete, so that each entry is a call. */
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

  /** As parts of a response, each once: some servers say twice why they ended. */
  take(): readonly Readonly<Record<string, unknown>>[] {
    this.#open.clear();
    return this.#calls.splice(0).map(({ id, name, arguments: text, fields }) => ({
      functionCall: { id, name, args: fields ? Object.fromEntries(fields) : readArguments(text) },
    }));
  }

  /**
   * The index tells calls apart. Servers that give every call the same one give each an id, and at its first piece only. Without either,
   * a name begins a call.
   */
  #callOf(index: number | undefined, id: string | undefined, isNew: boolean): Gathered {
    const known = isNew ? undefined : this.#open.get(keyOf(index, id));
    if (known) return known;
    // An answer needs the id of its call, so that a call without one is given one.
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
 * Text that is no JSON object stays the text it is: whoever runs the call must tell the model that these are no arguments,
 * and neither a hook nor a tool may take a guess of ours for what the model wrote.
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
