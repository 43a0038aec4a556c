import type { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import type { Ask, Task } from "./store/task.ts";

/** Throws TASK_NOT_RUNNABLE. What ran once runs again only if somebody says so, and what a person denied only if one allows it. */
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
        `is being run${pid} since ${task.startedAt}`,
        `\`hookline task show ${key}\` says when it is done.`,
      );
    }
    case "denied": {
      if (task.objection?.at === "person") {
        throw notRunnable(
          task,
          `was denied by a person: ${task.objection.reason}`,
          `\`hookline task approve ${key}\` takes that back.`,
        );
      }
      if (again) return;
      throw notRunnable(
        task,
        `was denied: ${task.objection?.reason ?? "no reason is kept"}`,
        `\`hookline task run ${key} --again\` asks the hooks once more.`,
      );
    }
    case "lapsed":
      throw notRunnable(
        task,
        "lapsed: it was made for another folder that lay at this path",
        `\`hookline task create ${task.abilityId}\` makes a new one.`,
      );
    case "interrupted":
      if (again) return;
      throw notRunnable(
        task,
        `was interrupted, and may have done part of its work`,
        `\`hookline task run ${key} --again\` runs it once more.`,
      );
    case "success":
    case "failure":
    case "partial":
      if (again) return;
      throw notRunnable(task, `was run already, and ended with ${status}`);
  }
}

/** Somebody else was faster. */
export function changedMeanwhile(task: Task): HooklineError {
  return notRunnable(task, "was changed by another process meanwhile");
}

/** What hooks asked when it was made, and no person has answered. */
export function openSinceCreation({ status, objection }: Task): readonly Ask[] {
  if (status !== "awaiting_human") return [];
  return objection?.asks.filter(({ event }) => event === "PreAbilityCreate") ?? [];
}

function notRunnable({ key }: Task, how: string, next?: string): HooklineError {
  const advice = next ?? `\`hookline task show ${key}\` shows its result; \`--again\` runs it once more.`;
  return new ProgramError({ code: "TASK_NOT_RUNNABLE", what: `The task ${key} ${how}.`, next: advice });
}
