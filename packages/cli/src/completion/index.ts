import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import type { Completed } from "./words.ts";
import { zsh } from "./zsh.ts";

export const COMPLETIONS: ReadonlyMap<string, (commands: readonly Completed[]) => string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

export const SHELLS = [...COMPLETIONS.keys()];
