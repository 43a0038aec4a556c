import type { ApprovalAnswer, ApprovalRequest, ToolConfirmation } from "@hookline/engine";
import { approvalView } from "../terminal/approvalView.ts";
import { cancelledAtEnd } from "../terminal/endOfInput.ts";
import type { Io, Terminal } from "../terminal/io.ts";
import type { Approver } from "./approver.ts";
import { type Grant, type Grants, grantFor } from "./chat/grants.ts";
import type { Keyboard } from "./chat/keyboard.ts";
import type { Screen } from "./chat/screen.ts";

interface Place {
  readonly io: Io;
  readonly terminal: Terminal;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly grants: Grants;
}

type Prompts = typeof import("@clack/prompts");
type Choice = "yes" | "always" | "no" | "noBecause" | "showAll";

const INTERRUPTED: ApprovalAnswer = { approved: false, reason: "the person interrupted" };

/** Asks at the terminal, one question at a time. Ctrl-C or the end of input means no and cancels the turn. */
export class TerminalApprover implements Approver {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async approve(request: ApprovalRequest, signal: AbortSignal | undefined): Promise<ApprovalAnswer> {
    const prompts = await import("@clack/prompts"); // load it before showing the question: input must not arrive between question and prompt
    return this.#place.keyboard.ask(() => withOwnSignal(signal, (own) => this.#ask(request, prompts, own)));
  }

  isGranted(confirmation: ToolConfirmation): boolean {
    return this.#place.grants.covers(confirmation);
  }

  async #ask(request: ApprovalRequest, prompts: Prompts, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { io, screen, grants, terminal } = this.#place;
    const grant = grantable(request);
    const { columns, rows } = terminal.output;
    const surface = { colour: io.colour, columns, rows };
    let view = approvalView(request, surface, { isWhole: false });
    for (;;) {
      if (signal.aborted) return INTERRUPTED;
      screen.draw(view.lines);
      const mayBeYes = request.reasons.length === 0 && view.isPlain;
      const question = { mayBeYes, grant, isCut: view.isCut, signal };
      const choice = await cancelledAtEnd(terminal.input, () => choose(prompts, question));
      switch (choice) {
        case "showAll":
          view = approvalView(request, surface, { isWhole: true });
          continue;
        case "always":
          if (grant) grants.add(grant);
          return { approved: true };
        case "yes":
          return { approved: true };
        case "no":
          // If a hook asked, the model should get the hook's reason.
          return { approved: false, ...(request.reasons.length > 0 ? {} : { reason: "the person said no" }) };
        case "noBecause": {
          const reason = await cancelledAtEnd(terminal.input, () => askWhy(prompts, signal));
          if (reason !== undefined) return { approved: false, reason: `the person said no: ${reason}` };
          break;
        }
      }
      if (!signal.aborted) terminal.interrupt();
      return INTERRUPTED;
    }
  }
}

/** Undefined if a hook asks, because its questions cannot be answered in advance, or if each call needs a review. */
function grantable({ reasons, confirmation }: ApprovalRequest): Grant | undefined {
  return reasons.length === 0 && confirmation ? grantFor(confirmation) : undefined;
}

interface Question {
  /** Whether Yes may be the default. */
  readonly mayBeYes: boolean;
  readonly grant: Grant | undefined;
  readonly isCut: boolean;
  readonly signal: AbortSignal;
}

/** Returns undefined for Ctrl-C. */
async function choose(
  { select, isCancel }: Prompts,
  { mayBeYes, grant, isCut, signal }: Question,
): Promise<Choice | undefined> {
  const once = { value: "yes", label: "Yes, once" } as const;
  const always = { value: "always", label: `Yes, and do not ask again ${grant?.label} in this session` } as const;
  const no = { value: "no", label: "No" } as const;
  const noBecause = { value: "noBecause", label: "No, and tell the model why" } as const;
  const showAll = { value: "showAll", label: "Show everything first" } as const;
  const answer = await select<Choice>({
    message: "May it run?",
    options: [once, ...(grant ? [always] : []), no, noBecause, ...(isCut ? [showAll] : [])],
    initialValue: mayBeYes ? "yes" : "no",
    signal,
    showInstructions: false,
  });
  return isCancel(answer) ? undefined : answer;
}

async function askWhy({ text, isCancel }: Prompts, signal: AbortSignal): Promise<string | undefined> {
  const answer = await text({ message: "What should the model know?", signal });
  return isCancel(answer) ? undefined : answer?.trim() || "no reason given";
}

/** Prompts never remove their listener from a signal: if it aborts after the answer, they would write again. */
async function withOwnSignal<Answer>(
  given: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const own = new AbortController();
  const abort = () => own.abort();
  if (given?.aborted) abort();
  given?.addEventListener("abort", abort, { once: true });
  try {
    return await ask(own.signal);
  } finally {
    given?.removeEventListener("abort", abort);
  }
}
