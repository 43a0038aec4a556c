import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";

const LONGEST_PATH = 4096;
/** Characters that can precede or follow a path in a command or a path list; in `-I/path` a letter precedes it. */
const BEFORE = "(?<=^|[\\s'\"`=:,;&|<>({\\[@!]|(?:^|\\s)-[A-Za-z])";
const BEHIND = "(?=$|[/\\s'\"`=:,;&|<>)}\\]])";
const WORD = new RegExp(`${BEFORE}/[^\\s'"\`=:,;&|<>(){}[\\]$*?\\\\]+`, "g");

/** Maps project paths to their counterparts in the copy. All folders are absolute and without links. */
export class Relocation {
  readonly to: string;
  readonly #from: readonly string[];
  readonly #spellings: readonly { readonly found: RegExp; readonly to: string }[];

  constructor(from: readonly string[], to: string) {
    this.to = to;
    // Longest first: the inner one of two nested projects wins. A root of "/" would match every path, so drop it.
    this.#from = [...from].filter((folder) => dirname(folder) !== folder).sort((a, b) => b.length - a.length);
    this.#spellings = this.#from.flatMap((folder) => [
      { found: inText(folder, to), to },
      { found: inText(escaped(folder), escaped(to)), to: escaped(to) },
    ]);
  }

  /** Maps a text that is a path as a whole, even through links; returns any other text unchanged. */
  path(text: string): string {
    if (!isAbsolute(text) || text.length > LONGEST_PATH || /[\0\n]/.test(text)) return text;
    const path = resolve(text);
    if (isBelow(path, this.to)) return text;
    const moved = this.#moved(path) ?? this.#moved(physical(path));
    return moved === undefined ? text : text.endsWith(sep) ? moved + sep : moved;
  }

  /** Maps every path in a command or a path list. */
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

/** Resolves links as far as the path exists and appends the rest. */
function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(physical(parent), basename(path));
  }
}

/** The copy may be inside the project: leave paths that already lead there. */
function inText(folder: string, to: string): RegExp {
  return new RegExp(`${BEFORE}(?!${literally(to)}${BEHIND})${literally(folder)}${BEHIND}`, "g");
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Escaped for a shell, without quotes. */
function escaped(path: string): string {
  return path.replace(/[^\w./:@%+=,~-]/g, "\\$&");
}
