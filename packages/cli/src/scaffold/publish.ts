import { join } from "node:path";
import { HooklineError } from "@hookline/engine";
import { declaredOf, type LoadedSettings, type Problem } from "@hookline/engine/program";
import { checkHooks } from "../checks/index.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Io } from "../terminal/io.ts";
import type { NewFile } from "./newFile.ts";
import { refuse } from "./requestParts.ts";
import { refuseExisting, writeFiles } from "./writeFiles.ts";

/** A declaration with its other files. */
export interface Made {
  readonly kind: "hook" | "ability";
  readonly id: string;
  readonly files: readonly NewFile[];
  /** The path of its YAML file. */
  readonly declaration: string;
}

export interface Published {
  readonly projectRoot: string;
  readonly files: readonly NewFile[];
  /** Warnings about the new files, such as a missing interpreter. */
  readonly notes: readonly Problem[];
}

/** Writes the files into the project, and removes them if `validate` finds an error. */
export async function publish(io: Io, made: Made): Promise<Published> {
  const before = await readSettings(io);
  const { projectRoot } = before;
  refuseExisting(projectRoot, made.files);
  refuseTaken(made, before);
  const written = writeFiles(projectRoot, made.files);
  try {
    const problems = await problemsIn(join(projectRoot, made.declaration), io);
    const error = problems.find(({ severity }) => severity === "error");
    if (error)
      throw new HooklineError({ code: "OPTION_INVALID", what: `${error.what} Nothing was written.`, next: error.next });
    return { projectRoot, files: written.files, notes: problems };
  } catch (error) {
    written.undo();
    throw error;
  }
}

async function problemsIn(file: string, io: Io): Promise<readonly Problem[]> {
  const loaded = await readSettings(io);
  const found = [...loaded.problems, ...(await checkHooks(loaded))];
  return found.filter(({ where }) => where.file === file);
}

/** Refuses an id that a file with another name already declares. */
function refuseTaken({ kind, id }: Made, { hooks, others }: LoadedSettings): void {
  const other =
    kind === "hook"
      ? hooks.find(({ name }) => name === id)
      : declaredOf(ABILITIES, others).find(({ name, operationKeys }) => name === id || operationKeys.includes(id));
  if (!other) return;
  const { file, line = 1 } = other.place;
  refuse(`"${id}" is already declared at ${file}:${line}; nothing was written.`, "Choose another --id.");
}
