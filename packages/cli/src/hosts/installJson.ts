import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import type { HostPlan } from "./hostPlan.ts";
import type { Prepared } from "./prepare.ts";

export async function installJson({ hosts }: Prepared, { written }: { readonly written: boolean }): Promise<unknown> {
  const changes = hosts.map(async ({ found, plan, shortfalls, warnings, notes }) => ({
    ...(await planJson(plan)),
    version: found.version ?? null,
    shortfalls,
    warnings,
    notes,
  }));
  return { written, hosts: await Promise.all(changes) };
}

export async function planJson({ seat, level, file, before, after, bytes }: HostPlan): Promise<object> {
  const changes = bytes !== undefined;
  const diff = changes ? await unifiedDiff(file.target, before, after) : "";
  return { host: seat.name, level, file: file.path, target: file.target, changes, diff };
}
