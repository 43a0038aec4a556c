import type { ShellWord } from "../../process/shellWords.ts";

/** A program that runs a script: which of its options mean that there is none, and which take the next word. */
interface Interpreter {
  readonly names: RegExp;
  /** The code is on the command line, in a module or on standard input. */
  readonly noScript: RegExp;
  readonly takesValue?: RegExp;
  /** These load a module by a name that is not its path, or say where to look for modules. */
  readonly loads?: RegExp;
  /** Code on the command line comes with no files of its own. Others load modules, from the working directory too. */
  readonly isShell?: true;
  /** Words before the script: `deno run x.ts`. A bare word after them may be a task of some other file: `bun run lint`. */
  readonly subcommands?: RegExp;
}

const PYTHON: Interpreter = {
  names: /^python(\d+(\.\d+)?)?$/,
  noScript: /^-[a-zA-Z]*[cm]/,
  takesValue: /^-[WX]$/,
};

const INTERPRETERS: readonly Interpreter[] = [
  // A shell's -e, -m and -p are settings; only a cluster with c or s leaves no script.
  {
    names: /^(sh|bash|dash|zsh|ksh)$/,
    isShell: true,
    noScript: /^-[a-zA-Z]*[cs]/,
    takesValue: /^([-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/,
  },
  PYTHON,
  {
    names: /^(node|nodejs|tsx|ts-node)$/,
    noScript: /^(-[a-z]*[ep][ep]?|--eval|--print)(=|$)/,
    takesValue: /^(-r|-C|-P|--require|--import|--loader|--experimental-loader|--conditions|--project)$/,
  },
  {
    names: /^(deno|bun)$/,
    noScript: /^(-e|-p|--eval|--print|eval)(=|$)/,
    takesValue: /^(-c|--config|--preload)$/,
    subcommands: /^run$/,
  },
  { names: /^(ruby|perl)$/, noScript: /^-[a-zA-Z]*[eE]/, takesValue: /^-[IrC]$/, loads: /^-[MmIr]/ },
  { names: /^php$/, noScript: /^(-r|--run)$/, takesValue: /^-[dcz]$/ },
  { names: /^lua$/, noScript: /^-e/, takesValue: /^-l$/, loads: /^-l/ },
  { names: /^Rscript$/, noScript: /^-e$/ },
  {
    names: /^pwsh$/,
    noScript: /^-(c|Command|EncodedCommand|e)$/i,
    takesValue: /^-(ExecutionPolicy|ep|WorkingDirectory|wd)$/i,
  },
];

export interface Interpreted {
  readonly program: ShellWord;
  /** Absent where the command names none, or only the shell knows it. */
  readonly script?: ShellWord;
}

/** Finds the interpreter, also behind `env`, and the script it is given. */
export function interpretedBy(words: readonly (ShellWord | null)[]): Interpreted | undefined {
  const from = afterEnv(words);
  const program = words[from];
  const interpreter = program && INTERPRETERS.find(({ names }) => names.test(baseName(program.word)));
  if (!interpreter) return undefined;
  const script = scriptOf(words.slice(from + 1), interpreter);
  return script === undefined ? { program } : { program, script };
}

export function isInterpreter(program: string): boolean {
  const name = baseName(program);
  return name === "env" || INTERPRETERS.some(({ names }) => names.test(name));
}

/** Whether Python is started without a script: it then looks for modules in the working directory first. */
export function startsInlinePython(words: readonly (ShellWord | null)[]): boolean {
  const [program, ...options] = words.slice(afterEnv(words)).map((word) => word?.word ?? "");
  const interpreter = INTERPRETERS.find(({ names }) => names.test(baseName(program ?? "")));
  return interpreter === PYTHON && inlineOption(options, PYTHON) !== undefined;
}

/** `python3 -m guard`, wherever it stands among the words: what it loads is nowhere named. */
export function inlineCode(words: readonly string[]): readonly string[] {
  return words.flatMap((program, index) => {
    const interpreter = INTERPRETERS.find(({ names }) => names.test(baseName(program)));
    if (!interpreter || interpreter.isShell) return [];
    const options = words.slice(index + 1, index + 1 + MOST_OPTIONS);
    const at = inlineOption(options, interpreter) ?? loadingOption(options, interpreter);
    return at === undefined ? [] : [[program, ...options.slice(0, at + 2)].join(" ")];
  });
}

const MOST_OPTIONS = 16;

/** Where the option stands that leaves no script; undefined where a script comes first. */
function inlineOption(words: readonly string[], { noScript, takesValue }: Interpreter): number | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (noScript.test(word)) return at;
    if (takesValue?.test(word)) at++;
    else if (!/^[-+]./.test(word) || word === "--") return undefined;
  }
  return undefined;
}

/** Where an option before the script loads a module. */
function loadingOption(words: readonly string[], { loads }: Interpreter): number | undefined {
  const script = words.findIndex((word) => !word.startsWith("-"));
  const at = loads === undefined ? -1 : words.findIndex((word) => loads.test(word));
  return at === -1 || (script !== -1 && script < at) ? undefined : at;
}

function scriptOf(words: readonly (ShellWord | null)[], interpreter: Interpreter): ShellWord | undefined {
  let ended = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) return undefined;
    if (!ended && word.word === "--") ended = true;
    else if (!ended && interpreter.noScript.test(word.word)) return undefined;
    else if (!ended && interpreter.takesValue?.test(word.word)) at++;
    else if (!ended && (/^[-+]./.test(word.word) || interpreter.subcommands?.test(word.word))) continue;
    else return word.word === "-" || (interpreter.subcommands && /^\w+$/.test(word.word)) ? undefined : word;
  }
  return undefined;
}

/** The index of the program: 0, or behind `env`, its options and assignments. */
function afterEnv(words: readonly (ShellWord | null)[]): number {
  const [first] = words;
  if (!first || baseName(first.word) !== "env") return 0;
  let at = 1;
  for (let word = words[at]; word && /^-|^[A-Za-z_][A-Za-z0-9_]*=/.test(word.word); word = words[at]) {
    at += /^(-u|--unset|-C|--chdir)$/.test(word.word) ? 2 : 1;
  }
  return at;
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
