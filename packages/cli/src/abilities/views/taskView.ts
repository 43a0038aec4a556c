import { colours } from "../../terminal/colour.ts";
import { decisionText } from "../../terminal/decisionText.ts";
import type { Io } from "../../terminal/io.ts";
import { aligned, type Cell } from "../../terminal/table.ts";
import { shortened, visible, visibleJson, visibleLines } from "../../terminal/visible.ts";
import type { Task, TaskStatus } from "../store/task.ts";

const LONGEST_INPUT = 60;

export function taskTable(tasks: readonly Task[], io: Io): string[] {
  const { bold, dim } = colours(io);
  const head = ["key", "status", "ability", "created", "input"].map((text) => ({ text, style: bold }));
  const rows = tasks.map(({ key, status, abilityId, createdAt, input }): Cell[] => [
    key,
    { text: status, style: styleOf(status, io) },
    visible(abilityId),
    createdAt,
    { text: shortened(JSON.stringify(input), LONGEST_INPUT), style: dim },
  ]);
  return aligned([head, ...rows]);
}

export function taskDetails(task: Task, io: Io): string[] {
  const { bold, dim } = colours(io);
  const { objection, approval, result, lease } = task;
  const fact = (label: string, text: string | undefined): Cell[][] =>
    text === undefined || text === "" ? [] : [[{ text: label, style: dim }, decisionText(text)]];
  return [
    `${bold(task.key)} ${styleOf(task.status, io)(task.status)}`,
    ...aligned(
      [
        ...fact("ability", task.abilityId),
        ...fact("asked for by", task.ref.value === task.abilityId ? undefined : task.ref.value),
        ...fact("input", JSON.stringify(task.input)),
        ...fact("environment", task.environment),
        ...fact("caller", Object.values(task.caller).join(", ")),
        ...fact("created", task.createdAt),
        ...fact("started", task.startedAt),
        ...fact("ended", task.endedAt),
        ...fact("runs", String(task.runs)),
        ...fact("run by", task.status === "running" && lease ? `process ${lease.pid} on ${lease.host}` : undefined),
        ...fact(
          "approved",
          approval && `by ${approval.by} at ${approval.at}${approval.reason ? `: ${approval.reason}` : ""}`,
        ),
        ...fact(
          task.status === "denied" ? "denied" : "asked",
          objection && [objection.code, ...objection.hooks].join(", "),
        ),
        ...fact("because", objection?.reason),
        ...fact("took", result && `${result.durationMs} ms`),
        ...fact("changed", result?.changedFiles.join(", ")),
        ...fact("error", result?.error),
      ],
      "  ",
    ),
    ...(result ? [dim("  output:"), ...outputLines(result.output)] : []),
  ];
}

export function taskJson(task: Task): unknown {
  const { key, abilityId, ref, input, environment, status, caller, runs, objection, approval, result } = task;
  return {
    task_key: key,
    ability_id: abilityId,
    ability_ref: ref,
    status,
    input,
    environment: environment ?? null,
    caller,
    created_at: task.createdAt,
    started_at: task.startedAt ?? null,
    ended_at: task.endedAt ?? null,
    runs,
    ...(objection
      ? { code: objection.code, reason: objection.reason, hooks: objection.hooks, signals: objection.signals }
      : {}),
    ...(approval ? { approval: { by: approval.by, at: approval.at, reason: approval.reason } } : {}),
    ...(result
      ? {
          output: result.output,
          changed_files: result.changedFiles,
          duration_ms: result.durationMs,
          ...(result.error === undefined ? {} : { error: result.error }),
        }
      : {}),
  };
}

function outputLines(output: unknown): string[] {
  const text = typeof output === "string" ? output.trimEnd() : visibleJson(output ?? null);
  return visibleLines(text).map((line) => `    ${line}`);
}

function styleOf(status: TaskStatus, io: Io) {
  const { green, red, yellow, cyan } = colours(io);
  switch (status) {
    case "success":
      return green;
    case "failure":
    case "denied":
      return red;
    case "awaiting_human":
    case "lapsed":
    case "interrupted":
    case "partial":
      return yellow;
    case "created":
    case "running":
      return cyan;
  }
}
