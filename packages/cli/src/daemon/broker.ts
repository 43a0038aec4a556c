import { randomBytes } from "node:crypto";

/** A question to a person, which any terminal of the user may answer. */
export interface Question {
  readonly host: string;
  readonly session: string;
  /** The folder that the question is about. */
  readonly folder: string;
  /** `BeforeTool run_shell_command` */
  readonly subject: string;
  /** Why a person is asked: the hooks' reasons, or what changed. */
  readonly reason: string;
  /** What the person decides about, as text: the arguments of the call, or a diff. */
  readonly details: string;
}

export interface OpenQuestion extends Question {
  readonly id: string;
  readonly askedAt: number;
  readonly until: number;
}

export interface Decision {
  readonly approved: boolean;
  readonly reason: string;
  /** `nobody`: a denial because no person answered. */
  readonly by: "person" | "nobody";
}

export type Decided = { readonly kind: "decided"; readonly question: OpenQuestion } | { readonly kind: "unknown" };

interface Pending {
  readonly question: OpenQuestion;
  readonly settle: (decision: Decision) => void;
}

/** Short enough to type, and not to be guessed by a program that saw another one. */
const ID_BYTES = 3;
const MOST_OPEN = 1_000;

/** Open questions. The first answer counts; without one in time, the answer is no. */
export class Broker {
  readonly #pending = new Map<string, Pending>();
  readonly #onChange: () => void;
  #isClosed = false;

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  get open(): readonly OpenQuestion[] {
    return [...this.#pending.values()].map(({ question }) => question);
  }

  /** Never rejects. */
  ask(
    asked: Question,
    { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
  ): Promise<Decision> {
    if (this.#isClosed) return Promise.resolve(denied("hookline is ending, so no person can be asked"));
    if (this.#pending.size >= MOST_OPEN) return Promise.resolve(denied(`${MOST_OPEN} questions are open already`));
    const question = { ...asked, id: this.#newId(), askedAt: Date.now(), until: Date.now() + withinMs };
    return new Promise((resolve) => {
      const settle = (decision: Decision) => {
        if (!this.#pending.delete(question.id)) return;
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        this.#onChange();
        resolve(decision);
      };
      const abort = () => settle(denied("the agent no longer waits for an answer"));
      const timer = setTimeout(() => settle(denied("no person answered in time")), withinMs);
      this.#pending.set(question.id, { question, settle });
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      this.#onChange();
    });
  }

  decide(id: string, decision: Omit<Decision, "by">): Decided {
    const pending = this.#pending.get(id);
    if (!pending) return { kind: "unknown" };
    pending.settle({ ...decision, by: "person" });
    return { kind: "decided", question: pending.question };
  }

  /** Denies everything that is open. */
  close(): void {
    this.#isClosed = true;
    for (const { settle } of [...this.#pending.values()]) settle(denied("hookline ended before a person answered"));
  }

  #newId(): string {
    for (;;) {
      const id = randomBytes(ID_BYTES).toString("hex");
      if (!this.#pending.has(id)) return id;
    }
  }
}

function denied(reason: string): Decision {
  return { approved: false, reason, by: "nobody" };
}
