import { z } from "zod";
import type { Decided, OpenQuestion } from "./broker.ts";
import type { SeenHost } from "./seenCalls.ts";

/** What our own commands ask of the daemon: a line of JSON each way, on the same socket as the calls of agents. */
export const controlRequest = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("status") }),
  z.object({ ask: z.literal("questions") }),
  z.object({ ask: z.literal("decide"), id: z.string(), approved: z.boolean(), reason: z.string() }),
  z.object({ ask: z.literal("stop") }),
]);

export type ControlRequest = z.infer<typeof controlRequest>;

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
}

/** The answer to one line; a line that makes no sense is answered with the fault. */
export function answerControl(line: string, daemon: Controlled): unknown {
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
      return daemon.decide(request.id, request);
    case "stop":
      daemon.stop();
      return {};
  }
}
