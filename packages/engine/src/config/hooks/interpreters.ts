import type { ShellWord } from "../../process/shellWords.ts";

/** A program that runs a script: which options mean that there is no script, and which take the next word. */
interface Interpreter {
  readonly names: RegExp;
  /** The code is on the command line, in a module or on standard input. */
  readonly noScript: RegExp;
  readonly takesValue?: RegExp;
  /** These load a module by name instead of by path, or set the module search path. */
  readonly loads?: RegExp;
  /** A shell's inline code loads no files by itself. Other interpreters load modules, also from the working directory. */
  readonly isShell?: true;
  /** Words before the script: `deno run x.ts`. A bare word after them may be a task from another file: `bun run lint`. */
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
  /** Absent if the command names none, or only the shell knows it. */
  readonly script?: ShellWord;
}

/** Finds the interpreter, also after `env`, and its script. */
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

/** Whether the text of a command starts Python without a script, anywhere: Python then searches the working directory for modules first. */
export function startsInlinePython(command: string): boolean {
  return command.split(/[;&|()`{}\n]/).some((part) => {
    // What is behind a redirection is neither an option nor a script.
    const [text = ""] = part.split("<");
    const pieces = text.match(/[^\s>'"]+/g) ?? [];
    return pieces.some((piece, index) => PYTHON.names.test(baseName(piece)) && namesNoScript(pieces.slice(index + 1)));
  });
}

/** Code in an option, a module, or on standard input. */
function namesNoScript(options: readonly string[]): boolean {
  return inlineOption(options, PYTHON) !== undefined || options.every((word) => word.startsWith("-"));
}

/** `python3 -m guard` anywhere among the words: no word names the file it loads. */
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

/** The index of the option that leaves no script; undefined if a script comes first. */
function inlineOption(words: readonly string[], { noScript, takesValue }: Interpreter): number | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (noScript.test(word)) return at;
    if (takesValue?.test(word)) at++;
    else if (!/^[-+]./.test(word) || word === "--") return undefined;
  }
  return undefined;
}

/** The index of an option before the script that loads a module. */
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

/** The index of the program: 0, or after `env`, its options and assignments. */
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
