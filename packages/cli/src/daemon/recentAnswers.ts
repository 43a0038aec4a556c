import type { Client } from "./hookCalls.ts";
import type { HookAnswer } from "./wire.ts";

/** How long after a call the same one again is its double. */
const SAME_MS = 10_000;

type Answering = (client: Client) => Promise<HookAnswer>;

/** The answers of the last seconds: an agent that reads two settings files may ask twice about one thing it does. */
export class RecentAnswers {
  readonly #calls = new Map<string, SharedCall>();

  of(identity: string, client: Client, answer: Answering): Promise<HookAnswer> {
    const known = this.#calls.get(identity);
    if (known && !known.isAbandoned) return known.join(client);
    const call = new SharedCall(answer);
    this.#calls.set(identity, call);
    const forget = () => {
      if (this.#calls.get(identity) === call) this.#calls.delete(identity);
    };
    setTimeout(forget, SAME_MS).unref();
    return call.join(client);
  }
}

/** One call for all the clients that ask about it. It is given up once all of them are gone. */
class SharedCall {
  readonly #gone = new AbortController();
  readonly #clients = new Set<Client>();
  readonly #answering: Answering;
  #answer: Promise<HookAnswer> | undefined;
  #isAnswered = false;
  #isWaiting = false;

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  /** Its answer was cut short: it is nothing to hand out. */
  get isAbandoned(): boolean {
    return this.#gone.signal.aborted;
  }

  join(client: Client): Promise<HookAnswer> {
    this.#clients.add(client);
    if (this.#isWaiting) client.onWait();
    client.gone.addEventListener("abort", () => this.#leave(client));
    if (client.gone.aborted) this.#leave(client);
    this.#answer ??= this.#begin();
    return this.#answer;
  }

  async #begin(): Promise<HookAnswer> {
    const onWait = () => {
      this.#isWaiting = true;
      for (const client of this.#clients) client.onWait();
    };
    try {
      return await this.#answering({ onWait, gone: this.#gone.signal });
    } finally {
      this.#isAnswered = true;
    }
  }

  #leave(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0 && !this.#isAnswered) this.#gone.abort();
  }
}
