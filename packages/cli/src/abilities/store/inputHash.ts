import { createHash } from "node:crypto";
import type { Task } from "./task.ts";

/** What a person approves: this ability, on this input, in this environment. */
export function inputHash({
  abilityId,
  input,
  environment,
}: Pick<Task, "abilityId" | "input" | "environment">): string {
  return createHash("sha256")
    .update(JSON.stringify([abilityId, input, environment ?? null]))
    .digest("hex");
}
