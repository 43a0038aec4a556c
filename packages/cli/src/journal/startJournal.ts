import type { HookSystem, LoadedSettings } from "@hookline/engine";
import type { Io } from "../io.ts";
import type { Journal } from "./journal.ts";

interface Started {
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  readonly onNotice: (text: string) => void;
}

/** As the settings say, which are known only when the hooks are started. */
export function startJournal(
  journal: Journal,
  { homeDir, env }: Pick<Io, "homeDir" | "env">,
  { system, loaded, onNotice }: Started,
): void {
  const options = system.getEngineOptions().journal;
  // Where there are hooks, one of them will match, and may object at once.
  if (
    system
      .getRegistry()
      .getAllHooks()
      .some(({ enabled }) => enabled)
  )
    journal.warmUp();
  journal.start({ projectRoot: loaded.projectRoot, homeDir, env, options, onNotice });
}
