import type { ApprovalAnswer, ApprovalRequest } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import { askDaemon } from "../daemon/askDaemon.ts";
import { answeredSchema } from "../daemon/controlSchemas.ts";
import { startDaemon } from "../daemon/startDaemon.ts";
import type { Io } from "../terminal/io.ts";
import type { Approver } from "./approver.ts";

/** How long a person has. The run's own --timeout may be shorter. */
const WITHIN_MS = 60 * 60_000;
/** For the daemon's own "no" at the end of that time. */
const MARGIN_MS = 5_000;

interface Asking {
  readonly folder: string;
  readonly onNotice: (text: string) => void;
}

/** Puts the agent's questions to a person at any terminal of theirs: `hookline asks`. Whatever fails, the answer is no. */
export function brokerApprover({ homeDir }: Pick<Io, "homeDir">, { folder, onNotice }: Asking): Approver {
  return {
    async approve(request, signal) {
      onNotice(`${request.toolName} waits for a person: hookline asks`);
      try {
        await startDaemon(homeDir);
        return (await ask(homeDir, folder, request, signal)) ?? denied("the daemon ended before a person answered");
      } catch (error) {
        return denied(errorText(error));
      }
    },
  };
}

function ask(homeDir: string, folder: string, request: ApprovalRequest, signal: AbortSignal | undefined) {
  const { toolName, toolInput, reasons, confirmation } = request;
  const question = {
    host: "hookline run",
    session: "",
    folder,
    subject: toolName,
    reason: reasons.join("\n") || confirmation?.title || `${toolName} needs approval`,
    details: JSON.stringify(confirmation ? { ...toolInput, confirmation } : toolInput, null, 2),
  };
  const waiting = { patienceMs: WITHIN_MS + MARGIN_MS, signal };
  return askDaemon(homeDir, { ask: "person", withinMs: WITHIN_MS, question }, answeredSchema, waiting);
}

function denied(reason: string): ApprovalAnswer {
  return { approved: false, reason, by: "nobody" };
}
