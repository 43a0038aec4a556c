import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { ProcessGroups, runProcess } from "@hookline/engine/process";
import { encodeInput } from "@hookline/engine/program";
import { readOwnTail } from "@hookline/journal/program";
import type { Io } from "../terminal/io.ts";
import { clientFiles } from "./clientFiles.ts";
import type { Seat } from "./seat.ts";
import { dialectOf } from "./seats.ts";

/** For a daemon that has to start. */
const DEADLINE_MS = 20_000;
const MOST_BYTES = 64 * 1024;
/** A line of `run/missed`: time, host, event, what it did, why, folder. */
const WHY = 4;
/** How the session of a canary is called; the journal shows it. */
const SESSION = "hookline-canary";

export type CanaryOutcome =
  /** The daemon answered within this time. */
  | { readonly kind: "answered"; readonly ms: number }
  /** The client was left alone, or did not start. */
  | { readonly kind: "silent"; readonly why: string };

/** Calls the client as the host would before a harmless command, and sees whether the daemon answers. The command does not run. */
export async function fireCanary(
  seat: Seat,
  { homeDir, env, signal }: Pick<Io, "homeDir" | "env" | "signal">,
  cwd: string,
): Promise<CanaryOutcome> {
  const fields = {
    session_id: `${SESSION}-${randomUUID()}`,
    transcript_path: "",
    cwd,
    timestamp: new Date().toISOString(),
    tool_name: "run_shell_command",
    tool_input: { command: "true", description: "hookline asks whether its hooks answer; nothing runs" },
    tool_call_id: SESSION,
  };
  const input = encodeInput(dialectOf(seat), "BeforeTool", fields);
  if (input === undefined) return { kind: "silent", why: "the host has no event before a tool runs" };
  const { program, missed } = clientFiles(homeDir);
  const [startedAt, missedBefore] = [performance.now(), sizeOf(missed)];
  const ending = await runProcess(
    {
      argv: [program, seat.name, input.event, "--deadline", String(DEADLINE_MS), "--ask-deadline", String(DEADLINE_MS)],
      cwd,
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      stdin: JSON.stringify(input.payload),
      timeoutMs: 2 * DEADLINE_MS,
      killGraceMs: 0,
      outputLimitBytes: MOST_BYTES,
      reportLeftBehind: false,
      signal,
    },
    new ProcessGroups(),
  );
  if (ending.kind !== "exited")
    return { kind: "silent", why: ending.kind === "notStarted" ? ending.cause.message : `it was ${ending.kind}` };
  const why = missedSince(missed, missedBefore);
  if (why !== undefined) return { kind: "silent", why };
  return { kind: "answered", ms: performance.now() - startedAt };
}

/** Why the client decided alone, from the line that it left; undefined: it had an answer. */
function missedSince(file: string, before: number): string | undefined {
  if (sizeOf(file) === before) return undefined;
  const line = readOwnTail(file, MOST_BYTES).trimEnd().split("\n").at(-1) ?? "";
  return line.split("\t")[WHY] ?? "it had no answer";
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
