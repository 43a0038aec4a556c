import type { LoadedSettings } from "./hookDeclaration.ts";

/** A file that has become unreadable keeps the hooks it had: a half-saved file must not switch a guard off. */
export function keepBrokenLayers(before: LoadedSettings | undefined, now: LoadedSettings): LoadedSettings {
  const broken = new Set(now.layers.filter(({ state }) => state === "broken").map(({ file }) => file));
  const kept = before?.hooks.filter(({ place }) => broken.has(place.file)) ?? [];
  return kept.length === 0 ? now : { ...now, hooks: [...now.hooks, ...kept] };
}
