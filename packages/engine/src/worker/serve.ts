import type { HookEventName } from "../events/catalog.ts";
import type { HookedEvent, HookFunction } from "../events/inputs.ts";
import { unwrapped } from "../events/unwrapped.ts";
import { keepOutputForAnswers, writeLine } from "./ownOutput.ts";

/** One request in progress. */
export interface Call {
  readonly event: string;
  /** Aborted when the answer is no longer awaited. */
  readonly signal: AbortSignal;
}

/** A function for one event, or for every event. Its return value is the answer; returning nothing means no answer. */
export type WorkerHook<Name extends HookedEvent = "any"> = HookFunction<Name, Call>;

/** One function for every event: what it gets and may answer is the union of all events', told apart by `hook_event_name`. */
export type AnyEventHook = WorkerHook<Exclude<HookedEvent, "any">>;

/** One function per event. A hook on an event without a function fails with an error: it must not look active. */
export type WorkerHooks = { readonly [Name in HookEventName]?: WorkerHook<Name> };

/**
 * Answers hookline's requests until its input ends. Call it once. From then on, anything printed on standard output goes to
 * standard error: standard output is reserved for answers.
 */
export function serve(hooks: WorkerHooks | AnyEventHook): void {
  keepOutputForAnswers();
  const open = new Map<number, OpenCall>();
  const read = (line: string) => {
    const message: unknown = JSON.parse(line);
    if (isCancel(message)) open.get(message.cancel)?.cancel();
    else if (isRequest(message)) new OpenCall(message, open).answerWith(hookFor(hooks, message.event));
  };
  onLines(read);
}

interface Request {
  readonly id: number;
  readonly event: string;
  readonly input: Record<string, unknown>;
}

class OpenCall implements Call {
  readonly event: string;
  readonly #id: number;
  readonly #input: Record<string, unknown>;
  readonly #open: Map<number, OpenCall>;
  #controller: AbortController | undefined;

  constructor({ id, event, input }: Request, open: Map<number, OpenCall>) {
    this.event = event;
    this.#id = id;
    this.#input = input;
    this.#open = open;
  }

  /** Created on demand: most hooks never use it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  answerWith(hook: WorkerHook): void {
    this.#open.set(this.#id, this);
    try {
      const answer = hook(this.#input, this);
      if (!(answer instanceof Promise)) this.#answer(answer);
      else
        answer.then(
          (output) => this.#answer(output),
          (error: unknown) => this.#fail(error),
        );
    } catch (error) {
      this.#fail(error);
    }
  }

  /** JSON writes a Map and an Error as `{}`, which would drop an objection. */
  #answer(answer: unknown): void {
    if (answer instanceof Error) this.#fail(answer);
    else this.#reply({ output: unwrapped(answer) ?? null });
  }

  /** The answer is no longer awaited: aborts the signal, and drops a later answer. */
  cancel(): void {
    this.#controller?.abort();
    this.#reply({ error: { message: "cancelled" } });
  }

  #fail(error: unknown): void {
    if (this.#open.has(this.#id)) console.error(error);
    this.#reply({ error: { message: error instanceof Error ? error.message : String(error) } });
  }

  #reply(answer: { output: unknown } | { error: { message: string } }): void {
    if (this.#open.delete(this.#id)) writeLine(JSON.stringify({ id: this.#id, ...answer }));
  }
}

function hookFor(hooks: WorkerHooks | AnyEventHook, event: string): WorkerHook {
  // The only casts: the engine sends every event with the input that its catalog row describes.
  if (typeof hooks === "function") return hooks as WorkerHook;
  const table = hooks as Readonly<Record<string, WorkerHook | undefined>>;
  return (Object.hasOwn(table, event) ? table[event] : undefined) ?? missing(event, Object.keys(table));
}

function missing(event: string, known: readonly string[]): WorkerHook {
  return () => {
    throw new Error(`this worker has no function for ${event}; it has ${known.join(", ") || "none"}`);
  };
}

function onLines(read: (line: string) => void): void {
  let begun = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      const line = begun + chunk.slice(start, end);
      begun = "";
      start = end + 1;
      read(line);
    }
    begun += chunk.slice(start);
  });
}

function isCancel(message: unknown): message is { cancel: number } {
  return typeof message === "object" && message !== null && "cancel" in message && typeof message.cancel === "number";
}

function isRequest(message: unknown): message is Request {
  return typeof message === "object" && message !== null && "id" in message && "event" in message && "input" in message;
}
