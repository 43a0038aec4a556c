import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findInPath, isProgram } from "../../process/findProgram.ts";
import { words } from "../../process/shellCommand.ts";
import type { ProblemText } from "../values/problem.ts";
import type { Declaration } from "./hookDeclaration.ts";
import { inlineCode, interpretedBy, startsInlinePython } from "./interpreters.ts";
import { commandOf, loadableBeside } from "./loadableNames.ts";

/** Reasons why a command would not start although its files were found. */
export function commandDoubts(command: unknown, path: string): readonly ProblemText[] {
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

/** Inline code in a hook from outside the project: it runs in the project's folder and may load modules from there. */
export function inlineDoubts(command: unknown): readonly ProblemText[] {
  if (typeof command !== "string") return [];
  const pieces = command.match(/[^\s`;&|<>()'"]+/g) ?? [];
  return [...new Set(inlineCode(pieces))].map((inline) => ({
    what: `"${inline} …" runs in the project's folder and may load modules from there.`,
    next: "Put the code into a file beside your settings, and name that file.",
  }));
}

/** A project module that Python will not find: PYTHONSAFEPATH=1 keeps the working directory out of the search path. */
export function moduleDoubts(command: unknown, projectRoot: string): readonly ProblemText[] {
  if (typeof command !== "string" || !startsInlinePython(command)) return [];
  const all = words(command);
  const at = all.findIndex((word) => /^-[a-zA-Z]*m$/.test(word?.word ?? ""));
  const name = at < 0 ? undefined : all[at + 1]?.word;
  const [top = ""] = name?.split(".") ?? [];
  const isHere = [top, `${top}.py`].some((path) => top !== "" && existsSync(join(projectRoot, path)));
  if (!isHere) return [];
  const what = `"-m ${name}" does not find the project's modules: a hook's Python does not search the working directory.`;
  return [{ what, next: 'Name the file, as in "python3 hooks/guard.py".' }];
}

/** A script in the root may load its neighbours, and everything is below the root: only part of that can be protected. */
export function rootScriptDoubts(declared: Declaration, projectRoot: string): readonly ProblemText[] {
  const [script] = declared.target?.files ?? [];
  if (script === undefined || dirname(script) !== projectRoot) return [];
  const { isLoadable } = loadableBeside(script, commandOf(declared));
  const loads = ["x.py", "x.js"].filter((name) => isLoadable(name, true)).map((name) => name.replace("x", "*"));
  if (loads.length === 0) return [];
  const what = `${basename(script)} is in the root of the project and could load any ${loads.join(" or ")} written there.`;
  return [{ what, next: `Move it to a folder for hooks, such as hooks/${basename(script)}.` }];
}
