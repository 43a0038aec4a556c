import type { HookSignal } from "@hookline/engine";
import { colours } from "../../terminal/colour.ts";
import { decisionLines } from "../../terminal/decisionText.ts";
import { ExitCode } from "../../terminal/exitCode.ts";
import type { Io } from "../../terminal/io.ts";
import { visible, visibleJson, visibleLines } from "../../terminal/visible.ts";
import type { CreateOutcome, Refusal, RunOutcome } from "../outcome.ts";

/** Prints the result of `task create` and returns the exit code. */
export function showCreated(outcome: CreateOutcome, io: Io, { json }: { readonly json: boolean }): number {
  if (json) io.stdout(`${visibleJson(createdJson(outcome))}\n`);
  switch (outcome.kind) {
    case "created":
      if (!json)
        io.stdout(`${[`${outcome.task.key} created`, hint(`hookline task run ${outcome.task.key}`, io)].join("\n")}\n`);
      return ExitCode.ok;
    case "awaitingHuman":
      if (!json) io.stdout(`${asksView(outcome, outcome.task.key, io)}\n`);
      return ExitCode.ask;
    case "unavailable":
      if (!json) io.stderr(`${refusedView("No task was created", outcome, io)}\n`);
      return ExitCode.objection;
  }
}

/** Prints the result of a run: its output on standard output, messages on standard error. */
export function showRun(outcome: RunOutcome, io: Io, { json }: { readonly json: boolean }): number {
  if (json) io.stdout(`${visibleJson(ranJson(outcome))}\n`);
  const { red, yellow } = colours(io);
  switch (outcome.kind) {
    case "ran": {
      if (!json) {
        const text = outputText(outcome.output);
        if (text !== "") io.stdout(`${text}\n`);
        if (outcome.status === "failure")
          io.stderr(`${red("✗")} ${visibleLines(`It failed: ${outcome.error ?? ""}`).join("\n")}\n`);
        if (outcome.status === "partial") io.stderr(`${yellow("!")} It reported that it did only part of its work.\n`);
      }
      return outcome.status === "failure" ? ExitCode.failure : ExitCode.ok;
    }
    case "denied":
      if (!json) io.stderr(`${refusedView("It was not run", outcome, io)}\n`);
      return ExitCode.objection;
    case "awaitingHuman":
      if (!json) io.stdout(`${asksView(outcome, outcome.task?.key, io)}\n`);
      return ExitCode.ask;
    case "interrupted":
      return ExitCode.interrupted;
  }
}

function createdJson(outcome: CreateOutcome): unknown {
  if (outcome.kind === "created") return { task_key: outcome.task.key, status: "created", signals: outcome.signals };
  if (outcome.kind === "unavailable") return { task_key: null, status: "unavailable", ...refusalJson(outcome) };
  return { task_key: outcome.task.key, status: "awaiting_human", ...refusalJson(outcome) };
}

function ranJson(outcome: RunOutcome): unknown {
  const task_key = outcome.task?.key ?? null;
  switch (outcome.kind) {
    case "ran": {
      const { status, output, changedFiles, durationMs, error, signals } = outcome;
      const failure = error === undefined ? {} : { error };
      return { task_key, status, output, changed_files: changedFiles, duration_ms: durationMs, ...failure, signals };
    }
    case "denied":
      return { task_key, status: "denied", ...refusalJson(outcome) };
    case "awaitingHuman":
      return { task_key, status: "awaiting_human", ...refusalJson(outcome) };
    case "interrupted":
      return { task_key, status: "interrupted" };
  }
}

function refusalJson({ code, reason, signals, hooks }: Refusal) {
  return { code, reason, hooks, signals };
}

function refusedView(what: string, { code, reason, hooks, signals }: Refusal, io: Io): string {
  const { red, dim } = colours(io);
  const by = hooks.length === 0 ? "" : ` (${hooks.map(visible).join(", ")})`;
  const said = [reason, ...signals.flatMap(suggestionOf)].flatMap(visibleLines);
  return [`${red("✗")} ${what}: ${code}${by}`, ...said.map((line) => dim(`  ${line}`))].join("\n");
}

/** The alternative that a hook suggests to the caller. */
function suggestionOf({ payload }: HookSignal): string[] {
  const given = typeof payload === "object" && payload !== null && "suggestion" in payload ? payload.suggestion : "";
  return typeof given === "string" && given !== "" ? [given] : [];
}

function asksView({ reason, hooks }: Refusal, key: string | undefined, io: Io): string {
  const { yellow, dim } = colours(io);
  const by = hooks.length === 0 ? "" : ` (${hooks.map(visible).join(", ")})`;
  const head = key === undefined ? "A person must decide; nothing was run" : `${key} awaits a person`;
  const next =
    key === undefined
      ? dim("  Run it at a terminal, or create a task with `hookline task create`, which a person can approve.")
      : hint(`hookline task approve ${key}`, io);
  return [`${yellow("?")} ${head}${by}:`, ...decisionLines(reason).map((line) => `  ${line}`), next].join("\n");
}

function hint(command: string, io: Io): string {
  return colours(io).dim(`  ${command}`);
}

function outputText(output: unknown): string {
  return typeof output === "string" ? visibleLines(output.trimEnd()).join("\n") : visibleJson(output ?? null);
}
