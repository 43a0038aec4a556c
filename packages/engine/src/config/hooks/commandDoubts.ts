import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findInPath, isProgram } from "../../process/findProgram.ts";
import { words } from "../../process/shellCommand.ts";
import type { Declaration } from "./hookDeclaration.ts";
import { inlineCode, interpretedBy, startsInlinePython } from "./interpreters.ts";

import { commandOf, loadableBeside } from "./loadableNames.ts";

interface Finding {
  readonly what: string;
  readonly next: string;
}

/** Why a command whose files were found would not start all the same. */
export function commandDoubts(command: unknown, path: string): readonly Finding[] {
  if (typeof command !== "string") return [];
  const found = words(command);
  const program = found[0]?.word ?? "";
  const interpreter = interpretedBy(found)?.program.word ?? "";
  const needed = [...new Set([interpreter, ...(/(^|[\s;&|(`])jq(\s|$)/.test(command) ? ["jq"] : [])])];
  return [
    ...(program.startsWith("/") && !isProgram(program)
      ? [{ what: `${program} is not executable.`, next: `Run chmod +x ${program}.` }]
      : []),
    ...needed
      .filter((name) => name !== "" && !name.includes("/") && findInPath(name, path) === null)
      .map((name) => ({ what: `"${name}" is not in PATH.`, next: `Install ${name}, or write its full path.` })),
  ];
}

/** Code on the command line of a hook that is not the project's: it runs in the project's folder and may load what lies there. */
export function inlineDoubts(command: unknown): readonly Finding[] {
  if (typeof command !== "string") return [];
  const pieces = command.match(/[^\s`;&|<>()'"]+/g) ?? [];
  return [...new Set(inlineCode(pieces))].map((inline) => ({
    what: `"${inline} …" runs in the folder of the project, and may load modules that lie there.`,
    next: "Put the code into a file beside your settings, and name that file.",
  }));
}

/** A module of the project that Python will not look for: PYTHONSAFEPATH=1 keeps the working directory out. */
export function moduleDoubts(command: unknown, projectRoot: string): readonly Finding[] {
  const all = typeof command === "string" ? words(command) : [];
  if (!startsInlinePython(all)) return [];
  const at = all.findIndex((word) => /^-[a-zA-Z]*m$/.test(word?.word ?? ""));
  const name = at < 0 ? undefined : all[at + 1]?.word;
  const [top = ""] = name?.split(".") ?? [];
  const isHere = [top, `${top}.py`].some((path) => top !== "" && existsSync(join(projectRoot, path)));
  if (!isHere) return [];
  const what = `"-m ${name}" does not find modules of the project: a hook's Python does not look in the working directory.`;
  return [{ what, next: 'Name the file, as in "python3 hooks/guard.py".' }];
}

/** A script in the root may load its neighbours there, and below the root lies everything: only part of that can be protected. */
export function rootScriptDoubts(declared: Declaration, projectRoot: string): readonly Finding[] {
  const [script] = declared.target?.files ?? [];
  if (script === undefined || dirname(script) !== projectRoot) return [];
  const { isLoadable } = loadableBeside(script, commandOf(declared));
  const loads = ["x.py", "x.js"].filter(isLoadable).map((name) => name.replace("x", "*"));
  if (loads.length === 0) return [];
  const what = `${basename(script)} lies in the root of the project and could load any ${loads.join(" or ")} that is written there.`;
  return [{ what, next: `Move it to a folder for hooks, such as hooks/${basename(script)}.` }];
}
