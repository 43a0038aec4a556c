import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

const LONGEST_PATH = 4096;
/** What can stand before a path and behind one in the text of a command, or in a list of paths; `-I/path` has a letter before it. */
const BEFORE = "(?<=^|[\\s'\"`=:,;&|<>({\\[@!]|(?:^|\\s)-[A-Za-z])";
const BEHIND = "(?=$|[/\\s'\"`=:,;&|<>)}\\]])";
const WORD = new RegExp(`${BEFORE}/[^\\s'"\`=:,;&|<>(){}[\\]$*?\\\\]+`, "g");

/** Leads paths of projects into the copy that stands for them. All folders are absolute and without links. */
export class Relocation {
  readonly to: string;
  readonly #from: readonly string[];
  readonly #spellings: readonly { readonly found: RegExp; readonly to: string }[];

  constructor(from: readonly string[], to: string) {
    this.to = to;
    // Of two projects, one inside of the other, the inner one is meant. And below "/" is everything.
    this.#from = [...from].filter((folder) => dirname(folder) !== folder).sort((a, b) => b.length - a.length);
    this.#spellings = this.#from.flatMap((folder) => [
      { found: inText(folder, to), to },
      { found: inText(escaped(folder), escaped(to)), to: escaped(to) },
    ]);
  }

  /** A text that as a whole is a path, also one through links; every other text stays as it is. */
  path(text: string): string {
    if (!isAbsolute(text) || text.length > LONGEST_PATH || /[\0\n]/.test(text)) return text;
    const path = resolve(text);
    if (isBelow(path, this.to)) return text;
    const moved = this.#moved(path) ?? this.#moved(physical(path));
    return moved === undefined ? text : text.endsWith(sep) ? moved + sep : moved;
  }

  /** Every path in the text of a command, or in a list of paths. */
  text(text: string): string {
    const moved = this.#spellings.reduce((sofar, { found, to }) => sofar.replace(found, () => to), text);
    return moved.replace(WORD, (word) => this.path(word));
  }

  #moved(path: string): string | undefined {
    const folder = this.#from.find((one) => isBelow(path, one));
    return folder === undefined ? undefined : this.to + path.slice(folder.length);
  }
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Without links, as far as there is something; the rest is what it will be called. */
function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(physical(parent), basename(path));
  }
}

/** The copy may lie in the project: what leads there already stays. */
function inText(folder: string, to: string): RegExp {
  return new RegExp(`${BEFORE}(?!${literally(to)}${BEHIND})${literally(folder)}${BEHIND}`, "g");
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** As a shell has it without quotes. */
function escaped(path: string): string {
  return path.replace(/[^\w./:@%+=,~-]/g, "\\$&");
}
