import { randomUUID } from "node:crypto";
import type { WireToolCall } from "./wire.ts";

interface Gathered {
  readonly index: number | undefined;
  readonly id: string;
  name: string;
  arguments: string;
  /** From a server that sends the object itself; it may be nested too deep to be written as JSON. */
  object?: Readonly<Record<string, unknown>>;
}

/** Tool calls come in pieces: the first has the name, the others more of the arguments. */
export class ToolCalls {
  readonly #calls: Gathered[] = [];

  add({ index, id, function: piece }: WireToolCall): void {
    const call = this.#callOf(index ?? undefined, id || undefined);
    call.name ||= piece.name ?? "";
    if (typeof piece.arguments === "string") call.arguments += piece.arguments;
    else if (piece.arguments) call.object = { ...call.object, ...piece.arguments };
  }

  /** As parts of a response, each once: some servers say twice why they ended. */
  take(): readonly Readonly<Record<string, unknown>>[] {
    return this.#calls.splice(0).map(({ id, name, arguments: text, object }) => ({
      functionCall: { id, name, args: object ?? readArguments(text) },
    }));
  }

  /** The index tells calls apart. Servers that give every call the same one give each an id, and at its first piece only. */
  #callOf(index: number | undefined, id: string | undefined): Gathered {
    const known = this.#calls.findLast((call) => call.index === index && (id === undefined || call.id === id));
    if (known) return known;
    // An answer needs the id of its call, so that a call without one is given one.
    const call: Gathered = { index, id: id ?? `call_${randomUUID()}`, name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
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
