import type { LoadedSettings, Problem } from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";

const MOST_SHOWN = 3;

/** The problems that keep a hook from running. A guard must not be off silently. */
export function settingsErrors({ problems }: LoadedSettings): readonly Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}

export function settingsErrorsView(loaded: LoadedSettings, io: Io): string[] {
  const errors = settingsErrors(loaded);
  if (errors.length === 0) return [];
  const { yellow, dim } = colours(io);
  const bases = { projectRoot: loaded.projectRoot, homeDir: io.homeDir };
  const shown = errors.slice(0, MOST_SHOWN).map(({ where, what }) => `${showPlace(where, bases)} ${visible(what)}`);
  return [
    ...shown.map((line) => yellow(`  ! ${line}`)),
    dim(`    ${counted(errors.length, "error")} in the settings: run \`hookline validate\``),
  ];
}
