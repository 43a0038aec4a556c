import type { SessionEndReason } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import { unreadPolicy } from "../project/unreadPolicy.ts";
import type { Io } from "../terminal/io.ts";
import { trustPolicy } from "../trust/trustPolicy.ts";
import type { AgentFlags } from "./agentFlags.ts";
import { brokerApprover } from "./brokerApprover.ts";
import { type LastSeconds, lastSeconds } from "./lastSeconds.ts";
import { type OpenAgent, openAgent } from "./openAgent.ts";
import type { RunOutcome, RunOutput } from "./output/runOutput.ts";
import { Session } from "./session.ts";
import { startNotices } from "./startNotices.ts";
import type { TurnEnd, TurnResult } from "./turnResult.ts";

interface RunRequest {
  readonly flags: AgentFlags;
  readonly prompt: string;
  readonly output: RunOutput;
  readonly asksForTrust: boolean;
  /** A person answers at another terminal. */
  readonly asksPerson: boolean;
  readonly timeoutMs: number | undefined;
}

/** Runs a session with a single turn. There is no user to ask, unless one answers at another terminal. */
export async function runOnce(io: Io, request: RunRequest): Promise<TurnEnd> {
  const { flags, output, asksForTrust } = request;
  const agent = await openAgent(io, {
    ...flags,
    approvalMode: () => flags.approvalMode,
    approver: request.asksPerson
      ? brokerApprover(io, { folder: flags.cwd, onNotice: (text) => output.observe({ type: "notice", text }) })
      : undefined,
    trust: trustPolicy(io, { trustProject: flags.trustProject, json: !asksForTrust }),
    unreadSettings: unreadPolicy(io, { ...flags, json: !asksForTrust }),
    observe: output.observe,
    streams: output.streams,
    watches: false,
  });
  const ending = lastSeconds(io.signal);
  try {
    const notices = await startNotices(agent, io);
    for (const text of notices) output.observe({ type: "notice", text });
    return await runSession(io, agent, { ...request, notices }, ending);
  } finally {
    await agent.close(ending.signal);
    ending.dispose();
  }
}

interface StartedRun extends RunRequest {
  readonly notices: readonly string[];
}

async function runSession(io: Io, agent: OpenAgent, run: StartedRun, ending: LastSeconds): Promise<TurnEnd> {
  const { flags, prompt, output, timeoutMs, notices } = run;
  const limit = timeLimit(io.signal, timeoutMs);
  const session = await Session.start(agent.setup, limit.signal, flags.resume);
  try {
    const turn = timedOut(await session.prompt(prompt, limit.signal), limit, timeoutMs);
    const outcome = (): RunOutcome => ({
      ...turn,
      session: session.id,
      toolCalls: session.totals.toolCalls,
      hooks: agent.hookLog.reports,
      usage: session.totals.usage,
      notices,
    });
    output.answered(outcome());
    await session.end(endReason(turn.end, limit), ending.signal);
    await agent.system.settle(ending.signal); // the result comes last and includes background hooks
    output.ended(outcome());
    return turn.end;
  } finally {
    limit.dispose();
    await session.end("error", ending.signal);
  }
}

interface TimeLimit {
  readonly signal: AbortSignal;
  readonly hasPassed: () => boolean;
  readonly dispose: () => void;
}

/** Aborts with the program or at the time limit. */
function timeLimit(program: AbortSignal, ms: number | undefined): TimeLimit {
  const controller = new AbortController();
  let passed = false;
  const abort = () => controller.abort();
  if (program.aborted) abort();
  program.addEventListener("abort", abort, { once: true });
  const expire = () => {
    passed = true;
    abort();
  };
  const timer = ms === undefined ? undefined : setTimeout(expire, ms);
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    dispose: () => {
      clearTimeout(timer);
      program.removeEventListener("abort", abort);
    },
  };
}

/** Reports a turn that exceeded its time limit as failed instead of cancelled. */
function timedOut(turn: TurnResult, limit: TimeLimit, ms = 0): TurnResult {
  if (turn.end.kind !== "cancelled" || !limit.hasPassed()) return turn;
  const what = `The turn did not end within ${ms / 1_000} s.`;
  return { ...turn, end: { kind: "failed", error: new ProgramError({ code: "TURN_TIMED_OUT", what }) } };
}

function endReason(end: TurnEnd, limit: TimeLimit): SessionEndReason {
  if (limit.hasPassed()) return "timeout";
  if (end.kind === "failed") return "error";
  return end.kind === "cancelled" ? "other" : "exit";
}
