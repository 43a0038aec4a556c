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

/** A person's word on a task that waits. An approval holds for one run, and for what the task is now. */
export async function decideTask(store: TaskStore, key: string, { verdict, reason }: Decision): Promise<Task> {
  const task = await store.get(key);
  if (!mayDecide(task, verdict)) throw decided(task, verdict);
  const by = currentUser() ?? "somebody";
  const changed =
    verdict === "approve"
      ? await store.approve(task, { by, at: new Date().toISOString(), reason })
      : await store.object(task, "denied", {
          at: "person",
          code: "ABILITY_DENIED",
          reason: reason || `${by} said no`,
          signals: [],
          hooks: [],
          // Still open: a person who takes the no back answers them, too.
          asks: task.objection?.asks ?? [],
        });
  if (!changed) throw changedMeanwhile(task);
  return changed;
}

/** A person may take a no back; what hooks denied, hooks are asked about once more. */
function mayDecide({ status, objection }: Task, verdict: Decision["verdict"]): boolean {
  if (OPEN.includes(status)) return true;
  if (verdict === "deny") return status === "interrupted" || status === "denied";
  return status === "denied" && objection?.at === "person";
}

function decided({ key, status }: Task, verdict: Decision["verdict"]): HooklineError {
  const what = `There is nothing to ${verdict} about ${key}: its status is ${status}.`;
  const next =
    status === "denied"
      ? `Hooks denied it; \`hookline task run ${key} --again\` asks them once more.`
      : `\`hookline task show ${key}\` says more.`;
  return new ProgramError({ code: "TASK_NOT_RUNNABLE", what, next });
}
