import { z } from "zod";
import type { Decided, Decision, OpenQuestion, Question } from "./broker.ts";
import type { Asker } from "./connection.ts";
import { questionSchema } from "./controlSchemas.ts";
import type { SeenHost } from "./seenCalls.ts";

/** What our own commands ask of the daemon: a line of JSON each way, on the same socket as the calls of agents. */
export const controlRequest = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("status") }),
  z.object({ ask: z.literal("questions") }),
  z.object({ ask: z.literal("decide"), id: z.string(), approved: z.boolean(), reason: z.string() }),
  z.object({ ask: z.literal("stop") }),
  z.object({ ask: z.literal("person"), withinMs: z.number(), question: questionSchema }),
]);

export type ControlRequest = z.infer<typeof controlRequest>;

export type SessionOf = (asker: Asker, needs: { readonly terminal: boolean }) => Promise<string | undefined>;

export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  readonly hosts: readonly SeenHost[];
  readonly projects: readonly { readonly root: string; readonly hooks: number; readonly untrusted: number }[];
  readonly questions: number;
}

export interface Controlled {
  status(): DaemonStatus;
  questions(): readonly OpenQuestion[];
  decide(id: string, decision: { readonly approved: boolean; readonly reason: string }): Decided;
  stop(): void;
  /** Puts a question to a person, as long as the asker is there. */
  askPerson(question: Question, given: { readonly withinMs: number; readonly signal: AbortSignal }): Promise<Decision>;
}

/** What only a person may ask. */
export interface Refused {
  readonly kind: "refused";
  /** The agent's session that the asker belongs to, or what it lacks. */
  readonly session: string;
}

/** The answer to one line; a line that makes no sense is answered with the fault. `sessionOf` says why an asker must not decide. */
export function answerControl(
  line: string,
  { daemon, asker, sessionOf }: { readonly daemon: Controlled; readonly asker: Asker; readonly sessionOf: SessionOf },
): unknown {
  const forPerson = async (act: () => unknown, needs = { terminal: false }): Promise<unknown> => {
    const session = await sessionOf(asker, needs);
    return session === undefined ? act() : ({ kind: "refused", session } satisfies Refused);
  };
  let request: ControlRequest;
  try {
    request = controlRequest.parse(JSON.parse(line));
  } catch {
    return { error: "This request is not known here: another version of hookline may have sent it." };
  }
  switch (request.ask) {
    case "status":
      return daemon.status();
    case "questions":
      return daemon.questions();
    case "decide":
      return forPerson(() => daemon.decide(request.id, request), { terminal: true });
    case "person":
      return daemon.askPerson(request.question, { withinMs: request.withinMs, signal: asker.gone });
    case "stop":
      return forPerson(() => {
        daemon.stop();
        return {};
      });
  }
}
