import type { Declaration } from "../hooks/hookDeclaration.ts";
import type { LoadedSettings } from "./loadedSettings.ts";

/** A file that has become unreadable keeps what it declared: a half-saved file must not switch a guard off. */
export function keepBrokenLayers(before: LoadedSettings | undefined, now: LoadedSettings): LoadedSettings {
  const broken = new Set(now.layers.filter(({ state }) => state === "broken").map(({ file }) => file));
  const isKept = ({ place }: Declaration) => broken.has(place.file);
  return {
    ...now,
    hooks: [...now.hooks, ...(before?.hooks.filter(isKept) ?? [])],
    others: [...now.others, ...(before?.others.filter(isKept) ?? [])],
  };
}
