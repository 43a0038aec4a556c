import type { HookSystem } from "@hookline/engine";
import { type LoadedSettings, takesEffect } from "@hookline/engine/program";
import { placeOf, type StateIo } from "../state/placeOf.ts";
import type { Journal, JournalSetup } from "./journal.ts";

interface Started {
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  readonly onNotice: (text: string) => void;
}

/** Starts the journal with the settings, which are known only after the hooks are started. */
export function startJournal(
  journal: Journal,
  io: StateIo & Pick<JournalSetup, "env">,
  { system, loaded, onNotice }: Started,
): void {
  const options = system.getEngineOptions().journal;
  // A hook may match and object at once.
  if (hasHooks(system)) journal.warmUpSoon();
  journal.start({ ...placeOf(io, loaded), env: io.env, options, rewritesPrompts: mayRewritePrompts(system), onNotice });
}

/** Count unmatched events if hooks are declared: a guard that never runs must not look like one that always agrees. */
export function countUnmatched(journal: Journal, system: HookSystem): void {
  if (hasHooks(system)) journal.unmatched(system.getStatus().unmatched);
}

/** PromptSubmit is recorded before these hooks see the prompt; their own record has the rewritten one. */
function mayRewritePrompts(system: HookSystem): boolean {
  const hooks = system.getRegistry().getHooksForEvent("BeforeAgent");
  return hooks.some(({ enabled, config }) => enabled && takesEffect(config));
}

function hasHooks(system: HookSystem): boolean {
  return system
    .getRegistry()
    .getAllHooks()
    .some(({ enabled }) => enabled);
}
