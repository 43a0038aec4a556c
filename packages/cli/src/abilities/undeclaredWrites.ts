import type { AbilityDeclaration } from "@hookline/engine";
import type { AbilityResult } from "./abilityResult.ts";

/** Files that an ability says it changed and that its declaration does not name; one that declares none may change any. */
export async function undeclaredWrites(
  { writes }: AbilityDeclaration,
  { changedFiles }: Pick<AbilityResult, "changedFiles">,
): Promise<readonly string[]> {
  if (writes.length === 0 || changedFiles.length === 0) return [];
  const { default: picomatch } = await import("picomatch");
  const isDeclared = picomatch([...writes], { dot: true });
  return changedFiles.filter((file) => !isDeclared(file));
}
