import { relative } from "node:path";
import type { LoadedSettings } from "@hookline/engine";
import { copyProject, type ProjectCopy } from "./projectCopy.ts";

interface CopyOptions {
  /** What to do if the project is too large. */
  readonly next: string;
  readonly signal: AbortSignal;
}

/** Where hooks can run and harm nothing: the project with every program that they start, also where git ignores it. */
export function copyHooks({ projectRoot, hooks }: LoadedSettings, options: CopyOptions): Promise<ProjectCopy> {
  const started = hooks.flatMap(({ source, target }) => (source === "project" ? (target?.files ?? []) : []));
  const also = started.map((file) => relative(projectRoot, file)).filter((path) => !path.startsWith(".."));
  return copyProject(projectRoot, { also, ...options });
}
