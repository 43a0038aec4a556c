import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { ProcessGroups, runProcess } from "@hookline/engine/process";
import { encodeInput, type HostInput } from "@hookline/engine/program";
import { missedCalls } from "../daemon/missedCalls.ts";
import { CANARY_SESSION } from "../daemon/seenCalls.ts";
import type { Io } from "../terminal/io.ts";
import { clientFiles } from "./clientFiles.ts";
import type { Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

const MOST_BYTES = 64 * 1024;

const WORDS = { killed: "killed", timedOut: "too slow", aborted: "cancelled" };

export type CanaryOutcome =
  /** The daemon answered within this time. */
  | { readonly kind: "answered"; readonly ms: number }
  /** The client was left alone, or did not start. */
  | { readonly kind: "silent"; readonly why: string };

export interface Canary {
  readonly seat: Seat;
  readonly cwd: string;
  readonly deadlineMs: number;
}

/** Calls the client as the host would before a harmless command, and sees whether the daemon answers. The command does not run. */
export async function fireCanary(io: Pick<Io, "homeDir" | "env" | "signal">, canary: Canary): Promise<CanaryOutcome> {
  const { missed } = clientFiles(io.homeDir);
  const [startedAt, missedBefore] = [performance.now(), sizeOf(missed)];
  const ending = await callClient(io, canary);
  if (ending.kind === "notStarted") return { kind: "silent", why: ending.cause.message };
  if (ending.kind !== "exited") return { kind: "silent", why: `its client was ${WORDS[ending.kind]}` };
  const why = missedSince(missed, missedBefore);
  return why === undefined ? { kind: "answered", ms: performance.now() - startedAt } : { kind: "silent", why };
}

function callClient({ homeDir, env, signal }: Pick<Io, "homeDir" | "env" | "signal">, canary: Canary) {
  const { seat, cwd, deadlineMs } = canary;
  const { event, payload } = payloadFor(seat, cwd);
  const deadlines = ["--deadline", String(deadlineMs), "--ask-deadline", String(deadlineMs)];
  const limits = { timeoutMs: 2 * deadlineMs, killGraceMs: 0, outputLimitBytes: MOST_BYTES, reportLeftBehind: false };
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return runProcess(
    {
      argv: [clientFiles(homeDir).program, seat.name, event, ...deadlines],
      cwd,
      env: Object.fromEntries(variables),
      stdin: JSON.stringify(payload),
      ...limits,
      signal,
    },
    new ProcessGroups(),
  );
}

function payloadFor(seat: Seat, cwd: string): HostInput {
  const input = encodeInput(dialectOf(seat), "BeforeTool", {
    session_id: `${CANARY_SESSION}-${randomUUID()}`,
    transcript_path: "",
    cwd,
    timestamp: new Date().toISOString(),
    tool_name: "run_shell_command",
    tool_input: { command: "true", description: "hookline asks whether its hooks answer; nothing runs" },
    tool_call_id: CANARY_SESSION,
  });
  if (input === undefined) throw new Error(`${seat.name} has no event before a tool runs.`);
  return input;
}

/** Why the client decided alone, from the line that it left; undefined: it had an answer. */
function missedSince(file: string, before: number): string | undefined {
  if (sizeOf(file) === before) return undefined;
  return missedCalls(file).at(-1)?.why ?? "it had no answer";
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
