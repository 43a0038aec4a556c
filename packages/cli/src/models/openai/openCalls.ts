import type { FunctionCall, FunctionResponse } from "@google/genai";
import type { ToolCallOut } from "./wire.ts";

/**
 * Matches results with calls. OpenAI requires an id on both; Gemini's may lack one, such as after a synthetic answer of a hook. A
 * result without an id belongs to the first open call of its name.
 */
export class OpenCalls {
  readonly #open: { readonly id: string; readonly name: string }[] = [];
  #count = 0;

  add({ id, name = "", args }: FunctionCall): ToolCallOut {
    this.#count += 1;
    const call = { id: id || `call_${this.#count}`, name };
    this.#open.push(call);
    return { id: call.id, type: "function", function: { name, arguments: argumentsText(args) } };
  }

  answer({ id, name }: FunctionResponse): string {
    const byId = this.#open.findIndex((call) => call.id === id);
    const index = byId < 0 ? this.#open.findIndex((call) => call.name === name) : byId;
    const [call] = index < 0 ? [] : this.#open.splice(index, 1);
    return call?.id ?? id ?? "call_unknown";
  }
}

/** Arguments that are not an object are the model's own text. */
function argumentsText(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}
