import { isRecord } from "../answer/answer.ts";

/** Lists with at least this many items are written in groups. */
const MANY = 64;
const GROUP = 16;
/** How deep to look for a long list: an input, its request, its messages. */
const DEEPEST = 2;

/**
 * The JSON of a value, as `JSON.stringify` writes it, in pieces to be concatenated. V8 keeps a megabyte in one piece as
 * a rope, and copies it when it is first read; pieces of some kilobytes are not copied.
 */
export function jsonPieces(value: unknown): readonly string[] {
  if (!holdsLongList(value, DEEPEST)) return [JSON.stringify(value)];
  const pieces: string[] = [];
  write(value, DEEPEST, pieces);
  return pieces;
}

function holdsLongList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length >= MANY;
  if (depth === 0 || !isRecord(value) || "toJSON" in value) return false;
  for (const key in value) {
    const field = value[key];
    if (typeof field === "object" && holdsLongList(field, depth - 1)) return true;
  }
  return false;
}

/** Only called for values that contain a long list. */
function write(value: unknown, depth: number, pieces: string[]): void {
  if (Array.isArray(value)) writeList(value, pieces);
  else if (isRecord(value)) writeFields(value, depth, pieces);
}

function writeList(items: readonly unknown[], pieces: string[]): void {
  let before = "[";
  for (let start = 0; start < items.length; start += GROUP) {
    pieces.push(before, JSON.stringify(items.slice(start, start + GROUP)).slice(1, -1));
    before = ",";
  }
  pieces.push("]");
}

function writeFields(fields: Readonly<Record<string, unknown>>, depth: number, pieces: string[]): void {
  let before = "{";
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    const name = `${before}${JSON.stringify(key)}:`;
    if (holdsLongList(value, depth - 1)) {
      pieces.push(name);
      write(value, depth - 1, pieces);
    } else {
      const text: string | undefined = JSON.stringify(value);
      if (text === undefined) continue; // not expressible in JSON
      pieces.push(name + text);
    }
    before = ",";
  }
  pieces.push("}");
}
