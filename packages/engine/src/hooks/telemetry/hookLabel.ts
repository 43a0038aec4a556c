import { posix } from "node:path";
import type { HookDeclaration } from "../../config/hooks/hookDeclaration.ts";

/** The hook's name as it may leave the machine: for an unnamed hook, not its whole command, which may contain a token. */
export function hookLabel(hook: HookDeclaration): string {
  return hook.unnamed ? (hostOf(hook.name) ?? programOf(hook.name) ?? hook.type) : hook.name;
}

function hostOf(text: string): string | undefined {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).host : undefined;
}

/** The base name of the first word that is not an assignment: `TOKEN=x ./hooks/check.sh --key y` is "check.sh". */
function programOf(text: string): string | undefined {
  const word = text.split(/\s+/).find((part) => part !== "" && !part.includes("="));
  const name = posix.basename(word ?? "");
  return /^[\w.@+-]+$/.test(name) ? name : undefined;
}
