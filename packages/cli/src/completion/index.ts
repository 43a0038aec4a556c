import type { Command } from "../commands/command.ts";
import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import { zsh } from "./zsh.ts";

export const COMPLETIONS: ReadonlyMap<string, (commands: readonly Command[]) => string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

export const SHELLS = [...COMPLETIONS.keys()];
