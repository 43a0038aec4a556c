import { join } from "node:path";

/** Calls of this event, from this folder or below it, must not pass without an answer. `/` stands for user and system hooks. */
export interface ClosedEntry {
  readonly event: string;
  /** A real path. */
  readonly folder: string;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\t": "\\t" };
const UNESCAPED = new Map(Object.entries(ESCAPES).map(([char, pair]) => [pair, char]));

/** The content of `run/closed`, which the native client reads when it gets no answer: a line per entry, sorted. */
export function closedText(entries: readonly ClosedEntry[]): string {
  const lines = entries.map(({ event, folder }) => {
    if (!/^\w+$/.test(event)) throw new Error(`${JSON.stringify(event)} is not the name of an event.`);
    if (!isPlainPath(folder)) throw new Error(`${JSON.stringify(folder)} is not a real path.`);
    return `${event}\t${readable(folder).replaceAll(/[\\\n\t]/g, (char) => ESCAPES[char] ?? "")}\n`;
  });
  return [...new Set(lines)].sort().join("");
}

/** Undefined if the text is malformed: then nothing may pass without an answer. The native client reads it in the same way. */
export function readClosed(text: string): readonly ClosedEntry[] | undefined {
  if (text === "") return [];
  if (!text.endsWith("\n")) return undefined;
  const entries = text.slice(0, -1).split("\n").map(readLine);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function readLine(line: string): ClosedEntry | undefined {
  const [event = "", path, ...others] = line.split("\t");
  if (!/^\w+$/.test(event) || path === undefined || others.length > 0) return undefined;
  if (!/^(?:[^\\\0]|\\[\\nt])*$/.test(path)) return undefined;
  const folder = path.replaceAll(/\\./g, (pair) => UNESCAPED.get(pair) ?? pair);
  return isPlainPath(folder) ? { event, folder } : undefined;
}

/** Absolute, without `.`, `..`, doubled or trailing slashes: only such a path can be compared with a working folder. */
function isPlainPath(path: string): boolean {
  const names = path.split("/").slice(1);
  return (
    path === "/" ||
    (path.startsWith("/") && names.every((name) => !["", ".", ".."].includes(name) && !name.includes("\0")))
  );
}

/** Node replaces bytes of a name that are not UTF-8, so the path would match no folder. The folder around it does. */
function readable(folder: string): string {
  const names = folder.split("/");
  const at = names.findIndex((name) => name.includes("\uFFFD") || !name.isWellFormed());
  return at === -1 ? folder : join("/", ...names.slice(0, at));
}
