import type { FunctionCall, FunctionResponse } from "@google/genai";
import type { ToolCallOut } from "./wire.ts";

/**
 * Which call a result answers. Here both need an id; there they may lack one, as after a synthetic answer of a hook, and a
 * result belongs to the first call of its name that is still open.
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

/** Arguments that were no object are the text that the model wrote. */
function argumentsText(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}
