import { basename } from "node:path";
import { words } from "../../process/shellCommand.ts";
import type { Declaration } from "./hookDeclaration.ts";
import { headOf } from "./shebang.ts";

interface Language {
  readonly programs: RegExp;
  readonly scripts: RegExp;
  /** Files that a script in this language loads by name from its own folder. */
  readonly loads: RegExp;
  /** An interpreter option that disables this. */
  readonly isolated?: RegExp;
  /** A file that makes a folder a package, which then shadows a library of that name. */
  readonly packageFile?: string;
  /** Its scripts start programs in any language, and source files without a suffix. */
  readonly isShell?: true;
}

const LANGUAGES: readonly Language[] = [
  {
    programs: /^(python|pypy)[\d.]*$/,
    scripts: /\.pyw?$/,
    loads: /\.(py|pyw|pyc|pyd|pth|so)$/,
    isolated: /^-[a-zA-Z]*[IP]/,
    packageFile: "__init__.py",
  },
  {
    programs: /^(node|nodejs|tsx|ts-node|deno|bun)$/,
    scripts: /\.[cm]?[jt]sx?$/,
    loads: /\.([cm]?[jt]sx?|json|node|wasm)$/,
  },
  { programs: /^(ba|da|z|k|a)?sh$/, scripts: /\.(ba|z|k)?sh$/, loads: /\.(ba|z|k)?sh$/, isShell: true },
  { programs: /^ruby[\d.]*$/, scripts: /\.rb$/, loads: /\.(rb|so)$/ },
  { programs: /^perl[\d.]*$/, scripts: /\.pl$/, loads: /\.(pl|pm|so)$/ },
  { programs: /^php[\d.]*$/, scripts: /\.php$/, loads: /\.(php|inc)$/ },
  { programs: /^lua[\d.]*$/, scripts: /\.lua$/, loads: /\.(lua|so)$/ },
];

/** What a script may load from its own folder. */
export interface LoadableNames {
  /** Whether a file of this name (lower case) could be loaded. In the project's root, only what its own language loads counts. */
  readonly isLoadable: (name: string, isRoot?: boolean) => boolean;
  readonly packageFiles: readonly string[];
}

/** Decides by the interpreter that the command or script names, and by the script's suffix; if neither is known, all languages. */
export function loadableBeside(script: string, command: readonly string[]): LoadableNames {
  const languages = languagesOf(script, command);
  return {
    isLoadable: (name, isRoot = false) =>
      languages.some(({ loads, isShell }) => loads.test(name) || (isShell && !isRoot && isStarted(name))),
    packageFiles: languages.flatMap(({ packageFile }) => packageFile ?? []),
  };
}

/** By a shell script: code in any language, or a file without a suffix. */
function isStarted(name: string): boolean {
  return !name.includes(".") || LANGUAGES.some(({ loads }) => loads.test(name));
}

/** Whether a file is code by its name, rather than input for a script. */
export function isScript(file: string): boolean {
  const name = file.toLowerCase();
  return LANGUAGES.some(({ scripts }) => scripts.test(name));
}

/** The words of the command that a declaration starts. */
export function commandOf({ type, target }: Declaration): readonly string[] {
  if (type === "plugin") return ["node"];
  const { command, args } = target?.fields ?? {};
  if (typeof command !== "string") return [];
  if (Array.isArray(args)) return [command, ...args.map(String)];
  return words(command).flatMap((word) => (word ? [word.word] : []));
}

function languagesOf(script: string, command: readonly string[]): readonly Language[] {
  const started = command.findIndex((word) => languageOf(word) !== undefined);
  const line = started === -1 ? firstLineOf(script) : command.slice(started);
  if (line === undefined) return [];
  const known = LANGUAGES.filter((one) => one === languageOf(line[0] ?? "") || one.scripts.test(script.toLowerCase()));
  return (known.length > 0 ? known : LANGUAGES).filter((language) => !isIsolated(language, line));
}

function languageOf(program: string): Language | undefined {
  const name = basename(program);
  return LANGUAGES.find(({ programs }) => programs.test(name));
}

/** The options of an interpreter end with its script. */
function isIsolated({ programs, isolated }: Language, [program = "", ...rest]: readonly string[]): boolean {
  if (!isolated || !programs.test(basename(program))) return false;
  const end = rest.findIndex((word) => !word.startsWith("-"));
  return rest.slice(0, end === -1 ? rest.length : end).some((word) => isolated.test(word));
}

/** The interpreter and its options from the first line. Text without a shebang is for the shell; undefined: a binary. */
function firstLineOf(script: string): readonly string[] | undefined {
  const head = headOf(script);
  if (head === "") return [];
  if (head.includes("\0")) return undefined;
  if (!head.startsWith("#!")) return ["sh"];
  const [line = ""] = head.slice(2).split("\n");
  const words = line.trim().split(/\s+/);
  const program = words.findIndex((word) => languageOf(word) !== undefined); // also after `env`
  return program === -1 ? [] : words.slice(program);
}
