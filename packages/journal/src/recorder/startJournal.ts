import type { HookSystem } from "@hookline/engine";
import { type LoadedSettings, takesEffect } from "@hookline/engine/program";
import { placeOf, type StateIo } from "../state/placeOf.ts";
import type { Journal, JournalSetup } from "./journal.ts";

interface Started {
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  readonly onNotice: (text: string) => void;
}

/** As the settings say, which are known only when the hooks are started. */
export function startJournal(
  journal: Journal,
  io: StateIo & Pick<JournalSetup, "env">,
  { system, loaded, onNotice }: Started,
): void {
  const options = system.getEngineOptions().journal;
  // Where there are hooks, one of them may match, and object at once.
  if (hasHooks(system)) journal.warmUpSoon();
  journal.start({ ...placeOf(io, loaded), env: io.env, options, rewritesPrompts: mayRewritePrompts(system), onNotice });
}

/** What nothing matched is counted where something could have: a guard that is never asked must not look like one that agrees. */
export function countUnmatched(journal: Journal, system: HookSystem): void {
  if (hasHooks(system)) journal.unmatched(system.getStatus().unmatched);
}

/** PromptSubmit is on record before these hooks have seen the prompt; their own record has it as they left it. */
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
