import { readFileSync } from "node:fs";
import { HooklineError } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { isBelow, Relocation } from "../sandbox/relocation.ts";

/**
 * Settings of another checkout may name programs by their absolute path in this one. The replay starts the checkout's own copies
 * instead, and trust does not cover those if their content differs.
 */
export function expectSameStarted({ projectRoot, hooks }: LoadedSettings, recordedRoot: string): void {
  const relocation = new Relocation([recordedRoot], projectRoot);
  const files = hooks.flatMap(({ source, target }) => (source === "project" ? (target?.files ?? []) : []));
  const started = files.filter((file) => !isBelow(file, projectRoot));
  const other = started.find((file) => contentOf(file) !== contentOf(relocation.path(file)));
  if (other === undefined) return;
  throw new HooklineError({
    code: "TRUST_REQUIRED",
    where: { file: relocation.path(other) },
    what: `A hook starts this instead of ${other}, and their contents differ.`,
    next: "Look at it, then pass `--trust-project` for one run; or use a relative path in the settings.",
  });
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "base64");
  } catch {
    return undefined;
  }
}
