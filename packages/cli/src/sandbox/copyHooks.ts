import { relative } from "node:path";
import type { LoadedSettings } from "@hookline/engine/program";
import { copyProject, type ProjectCopy } from "./projectCopy.ts";
import { Relocation } from "./relocation.ts";

interface CopyOptions {
  /** Advice if the project is too large. */
  readonly next: string;
  readonly signal: AbortSignal;
  /** Other projects that the copy replaces: programs that hooks start from those are started from the copy. */
  readonly standsFor?: readonly string[];
}

/**
 * Copies the project so that hooks can run without side effects, including every program they start, even if git
 * ignores it.
 */
export function copyHooks(
  { projectRoot, hooks }: LoadedSettings,
  { standsFor = [], ...options }: CopyOptions,
): Promise<ProjectCopy> {
  const files = hooks.flatMap(({ source, target }) => (source === "project" ? (target?.files ?? []) : []));
  const own = new Relocation([projectRoot, ...standsFor], projectRoot);
  const started = files.map((file) => relative(projectRoot, own.path(file))).filter((path) => !path.startsWith(".."));
  return copyProject(projectRoot, { started, ...options });
}
