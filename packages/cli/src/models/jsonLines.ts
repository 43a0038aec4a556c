import { appendFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProgramError } from "../errors.ts";

/** A file with one JSON object per line. */
export interface JsonLines {
  append(value: unknown): Promise<void>;
}

interface JsonLinesOptions {
  readonly cwd: string;
  /** `w` truncates an existing file, `a` appends to it. */
  readonly flag: "w" | "a";
}

/** Creates files that only their owner can read, because prompts and answers contain project files. */
export async function openJsonLines(file: string, { cwd, flag }: JsonLinesOptions): Promise<JsonLines> {
  const path = resolve(cwd, file);
  await writeFile(path, "", { flag, mode: 0o600 }).catch(unusable(file));
  return {
    append: (value) => appendFile(path, `${JSON.stringify(value)}\n`, { mode: 0o600 }).catch(unusable(file)),
  };
}

function unusable(file: string): (cause: Error) => never {
  return (cause) => {
    const what = `The file cannot be written: ${cause.message}.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, cause });
  };
}
