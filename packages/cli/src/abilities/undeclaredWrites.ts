import { compileGlobs } from "@hookline/engine/program";
import type { AbilityDeclaration } from "../declarations/abilities/abilityDeclaration.ts";
import type { AbilityResult } from "./abilityResult.ts";

/** Changed files outside of the declared `writes` of an ability; without `writes`, it may change any. */
export function undeclaredWrites(
  { writes }: AbilityDeclaration,
  { changedFiles }: Pick<AbilityResult, "changedFiles">,
): readonly string[] {
  if (writes.length === 0 || changedFiles.length === 0) return [];
  const isDeclared = compileGlobs(writes, { negatable: true });
  return changedFiles.filter((file) => !isDeclared(file));
}
