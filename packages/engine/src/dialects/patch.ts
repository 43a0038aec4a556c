import { isDeepStrictEqual } from "node:util";

/** A change of one file, as a patch for `apply_patch` says it. */
export type FileChange =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly movedTo?: string; readonly hunks: readonly Hunk[] };

export interface Hunk {
  readonly oldText: string;
  readonly newText: string;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const ADD = "*** Add File: ";
const DELETE = "*** Delete File: ";
const UPDATE = "*** Update File: ";
const MOVE = "*** Move to: ";
const END_OF_FILE = "*** End of File";

/**
 * The files that a patch changes; undefined for anything but the plain form. The host's own parser forgives more, such as blanks before a
 * marker: where the two could disagree about a file, a guard must not be shown either reading.
 */
export function parsePatch(text: string): readonly FileChange[] | undefined {
  const lines = text.trim().split(/\r?\n/);
  if (lines.length < 3 || lines[0] !== BEGIN || lines.at(-1) !== END) return undefined;
  const rest = new PatchLines(lines.slice(1, -1));
  const changes: FileChange[] = [];
  while (!rest.isAtEnd) {
    const change = readChange(rest);
    if (change === undefined) return undefined;
    changes.push(change);
  }
  return changes;
}

/** A patch of one change, whose content then ends with a line break; undefined if the format cannot say it, as with a line break in a path. */
export function formatPatch(given: FileChange): string | undefined {
  const change = given.kind === "add" ? { ...given, content: ended(given.content) } : given;
  const text = [BEGIN, ...linesOf(change), END].join("\n");
  return isDeepStrictEqual(parsePatch(text), [change]) ? text : undefined;
}

const ended = (content: string) => (content === "" || content.endsWith("\n") ? content : `${content}\n`);

class PatchLines {
  readonly #lines: readonly string[];
  #next = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#lines.length;
  }

  peek(): string | undefined {
    return this.#lines[this.#next];
  }

  skip(): void {
    this.#next += 1;
  }

  /** The rest of the next line, if it begins like this. */
  take(prefix: string): string | undefined {
    const line = this.peek();
    if (!line?.startsWith(prefix)) return undefined;
    this.skip();
    return line.slice(prefix.length);
  }
}

function readChange(lines: PatchLines): FileChange | undefined {
  const added = lines.take(ADD);
  if (added !== undefined) return isPath(added) ? { kind: "add", path: added, content: readContent(lines) } : undefined;
  const deleted = lines.take(DELETE);
  if (deleted !== undefined) return isPath(deleted) ? { kind: "delete", path: deleted } : undefined;
  const path = lines.take(UPDATE);
  if (path === undefined || !isPath(path)) return undefined;
  const movedTo = lines.take(MOVE);
  if (movedTo !== undefined && !isPath(movedTo)) return undefined;
  const hunks = readHunks(lines);
  if (hunks === undefined || (hunks.length === 0 && movedTo === undefined)) return undefined;
  return { kind: "update", path, ...(movedTo === undefined ? {} : { movedTo }), hunks };
}

/** Every line of a patch ends, so the content ends with a line break. */
function readContent(lines: PatchLines): string {
  let content = "";
  for (let line = lines.take("+"); line !== undefined; line = lines.take("+")) content += `${line}\n`;
  return content;
}

function readHunks(lines: PatchLines): readonly Hunk[] | undefined {
  const hunks: Hunk[] = [];
  while (!lines.isAtEnd && !isHeader(lines.peek())) {
    const hasAnchor = lines.peek() === "@@" || lines.peek()?.startsWith("@@ ");
    if (hasAnchor) lines.skip();
    else if (hunks.length > 0 || lines.peek() === "") return undefined; // only the first hunk may go without
    const hunk = readHunk(lines);
    if (hunk === undefined) return undefined;
    hunks.push(hunk);
  }
  return hunks;
}

function readHunk(lines: PatchLines): Hunk | undefined {
  const before: string[] = [];
  const after: string[] = [];
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    const [mark, text] = [line.charAt(0), line.slice(1)];
    if (mark !== "" && mark !== " " && mark !== "-" && mark !== "+") break;
    if (mark !== "+") before.push(text);
    if (mark !== "-") after.push(text);
    lines.skip();
  }
  if (before.length + after.length === 0) return undefined;
  if (lines.peek() === END_OF_FILE) lines.skip();
  return { oldText: before.join("\n"), newText: after.join("\n") };
}

function isHeader(line: string | undefined): boolean {
  return [ADD, DELETE, UPDATE].some((header) => line?.startsWith(header));
}

/** The host removes blanks around some paths and not around others. */
function isPath(text: string): boolean {
  return text !== "" && text === text.trim() && !text.includes("\0");
}

function linesOf(change: FileChange): readonly string[] {
  if (change.kind === "delete") return [DELETE + change.path];
  if (change.kind === "add") {
    return [ADD + change.path, ...(change.content === "" ? [] : marked("+", change.content.slice(0, -1)))];
  }
  const { path, movedTo, hunks } = change;
  return [
    UPDATE + path,
    ...(movedTo === undefined ? [] : [MOVE + movedTo]),
    ...hunks.flatMap(({ oldText, newText }) => [
      "@@",
      ...(oldText === "" ? [] : marked("-", oldText)),
      ...(newText === "" ? [] : marked("+", newText)),
    ]),
  ];
}

function marked(mark: string, text: string): readonly string[] {
  return text.split("\n").map((line) => mark + line);
}
