import type { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import { currentUser } from "./caller.ts";
import { changedMeanwhile } from "./runnable.ts";
import type { Task, TaskStatus } from "./store/task.ts";
import type { TaskStore } from "./store/taskStore.ts";

interface Decision {
  readonly verdict: "approve" | "deny";
  readonly reason: string;
}

const OPEN: readonly TaskStatus[] = ["created", "awaiting_human"];

/** Applies a person's decision to a waiting task. An approval is valid for one run of exactly this task. */
export async function decideTask(store: TaskStore, key: string, { verdict, reason }: Decision): Promise<Task> {
  const task = await store.get(key);
  if (!mayDecide(task, verdict)) throw decided(task, verdict);
  const by = currentUser() ?? "an unknown user";
  const changed =
    verdict === "approve"
      ? await store.approve(task, { by, at: new Date().toISOString(), reason })
      : await store.object(task, "denied", {
          at: "person",
          code: "ABILITY_DENIED",
          reason: reason || `denied by ${by}`,
          signals: [],
          hooks: [],
          // Keep the open asks: a later approval must answer them too.
          asks: task.objection?.asks ?? [],
        });
  if (!changed) throw changedMeanwhile(task);
  return changed;
}

/** A person can revoke a person's denial; after a denial by hooks, the hooks must decide again. */
function mayDecide({ status, objection }: Task, verdict: Decision["verdict"]): boolean {
  if (OPEN.includes(status)) return true;
  if (verdict === "deny") return status === "interrupted" || status === "denied";
  return status === "denied" && objection?.at === "person";
}

function decided({ key, status }: Task, verdict: Decision["verdict"]): HooklineError {
  const what = `The task ${key} has the status ${status}; you cannot ${verdict} it.`;
  const next =
    status === "denied"
      ? `Hooks denied it; \`hookline task run ${key} --again\` runs them again.`
      : `\`hookline task show ${key}\` shows more.`;
  return new ProgramError({ code: "TASK_NOT_RUNNABLE", what, next });
}
