import type { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import type { Ask, Task } from "./store/task.ts";

/** Throws TASK_NOT_RUNNABLE. A finished task needs `again` for another run; a task that a person denied needs an approval. */
export function assertRunnable(task: Task, again: boolean): void {
  const { key, status } = task;
  switch (status) {
    case "created":
    case "awaiting_human":
      return;
    case "running": {
      const pid = task.lease ? ` by process ${task.lease.pid}` : "";
      throw notRunnable(
        task,
        `is running${pid} since ${task.startedAt}`,
        `\`hookline task show ${key}\` shows when it is done.`,
      );
    }
    case "denied": {
      if (task.objection?.at === "person") {
        throw notRunnable(
          task,
          `was denied by a person: ${task.objection.reason}`,
          `\`hookline task approve ${key}\` revokes the denial.`,
        );
      }
      if (again) return;
      throw notRunnable(
        task,
        `was denied: ${task.objection?.reason ?? "no reason was stored"}`,
        `\`hookline task run ${key} --again\` runs the hooks again.`,
      );
    }
    case "lapsed":
      throw notRunnable(
        task,
        "lapsed: it was created for another folder at this path",
        `\`hookline task create ${task.abilityId}\` creates a new one.`,
      );
    case "interrupted":
      if (again) return;
      throw notRunnable(
        task,
        "was interrupted and may have done part of its work",
        `\`hookline task run ${key} --again\` runs it again.`,
      );
    case "success":
    case "failure":
    case "partial":
      if (again) return;
      throw notRunnable(task, `has already run and ended with ${status}`);
  }
}

/** Another process was faster. */
export function changedMeanwhile(task: Task): HooklineError {
  return notRunnable(task, "was changed by another process");
}

/** The open asks from the creation of a task. */
export function openSinceCreation({ status, objection }: Task): readonly Ask[] {
  if (status !== "awaiting_human") return [];
  return objection?.asks.filter(({ event }) => event === "PreAbilityCreate") ?? [];
}

function notRunnable({ key }: Task, how: string, next?: string): HooklineError {
  const advice = next ?? `\`hookline task show ${key}\` shows its result; \`--again\` runs it again.`;
  return new ProgramError({ code: "TASK_NOT_RUNNABLE", what: `The task ${key} ${how}.`, next: advice });
}
