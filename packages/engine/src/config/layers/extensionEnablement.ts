import { join } from "node:path";
import { doubt, type Problem } from "../values/problem.ts";
import { readRegularFile } from "./regularFile.ts";

const FILE = "extension-enablement.json";
const MOST_BYTES = 1024 ** 2;

/** The Gemini CLI can switch extensions off by folder. We do not: their hooks run, and this warns about it. */
export function enablementDoubts(folder: string, names: readonly string[]): readonly Problem[] {
  if (!names.includes(FILE)) return [];
  const file = join(folder, FILE);
  if (!holdsExclusion(file)) return [];
  const what = "This file switches extensions off for the Gemini CLI only: here the hooks of all extensions run.";
  return [doubt({ where: { file }, what, next: "Switch hooks off by name: `hookline disable <hook>`." })];
}

function holdsExclusion(file: string): boolean {
  try {
    return readRegularFile(file, MOST_BYTES).includes('"!');
  } catch {
    return false;
  }
}
