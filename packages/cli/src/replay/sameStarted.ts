import { readFileSync } from "node:fs";
import { HooklineError } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { isBelow, Relocation } from "../sandbox/relocation.ts";

/**
 * Settings of another checkout may name programs by their absolute place in this one. The checkout's own are started then: where
 * they are not the same, nobody has trusted those.
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
    what: `A hook starts this in place of ${other}, and it is not the same.`,
    next: "Look at it, and pass `--trust-project` for one run; or name it relatively in the settings.",
  });
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "base64");
  } catch {
    return undefined;
  }
}
