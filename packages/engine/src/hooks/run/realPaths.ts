import { callPath } from "../../config/trust/callPaths.ts";
import { isRecord } from "../answer/answer.ts";
import type { Fields } from "./rewrites.ts";

/** The targets of the paths in a tool's arguments. */
export interface RealPaths {
  /** The target file of each path argument: absolute, without links. */
  readonly files: Readonly<Record<string, string>>;
  /** The arguments with other spellings of their paths, for guards that compare text. */
  readonly others: readonly Fields[];
}

interface Surroundings {
  /** The arguments of a tool that name files or folders. */
  readonly pathArguments: (toolName: string) => readonly string[];
  readonly workingDir: string;
  readonly projectRoot: string;
}

/** Undefined for a tool without path arguments. */
export function realPathsOf(toolName: unknown, input: unknown, around: Surroundings): RealPaths | undefined {
  if (typeof toolName !== "string" || !isRecord(input)) return undefined;
  const paths = around.pathArguments(toolName);
  if (paths.length === 0) return undefined;
  const files: Record<string, string> = {};
  let others: readonly Fields[] = [];
  for (const argument of paths) {
    const sent = Object.hasOwn(input, argument) ? input[argument] : undefined;
    if (typeof sent !== "string" || sent === "" || sent.includes("\0")) continue;
    const path = callPath(sent, around);
    files[argument] = path.file;
    others = [...others, ...path.others.map((other) => ({ ...input, [argument]: other }))];
  }
  return { files, others };
}
