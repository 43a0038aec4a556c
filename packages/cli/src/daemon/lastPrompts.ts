import type { HostCall } from "./hostCall.ts";

const MOST_SESSIONS = 500;

/** Fields of our events that a host does not send, as far as an earlier call of the session had them. */
export class LastPrompts {
  readonly #prompts = new Map<string, string>();

  missingIn({ dialect, request, decoded, session }: HostCall): Readonly<Record<string, unknown>> {
    if (decoded.kind !== "event") return {};
    const key = JSON.stringify([request.host, session]);
    const prompt = decoded.ours === "BeforeAgent" ? decoded.parts[0]?.fields.prompt : undefined;
    if (typeof prompt === "string") this.#keep(key, prompt);
    const event = dialect.events[request.event];
    const lacks = (event?.ours !== null && event?.lacks) || [];
    return Object.fromEntries(lacks.map((name) => [name, name === "prompt" ? (this.#prompts.get(key) ?? "") : ""]));
  }

  #keep(key: string, prompt: string): void {
    this.#prompts.delete(key);
    this.#prompts.set(key, prompt);
    const [oldest] = this.#prompts.keys();
    if (this.#prompts.size > MOST_SESSIONS && oldest !== undefined) this.#prompts.delete(oldest);
  }
}
