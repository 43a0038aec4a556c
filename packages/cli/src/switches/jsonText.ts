import { HooklineError } from "@hookline/engine";
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from "jsonc-parser";

export type { Node } from "jsonc-parser";

const AGAIN = "Fix the file at that place, then run the command again.";

/** The object that the text of a file holds, with its places. Comments and trailing commas are allowed. */
export function parsedObject(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) {
    expectType(root, "object", "the file", { file, text });
    return root;
  }
  const what = `The file cannot be changed because it is not JSON: ${error ? printParseErrorCode(error.error) : "it is empty"}.`;
  throw new HooklineError({ code: "CONFIG_SYNTAX", where: placeAt(text, error?.offset ?? 0, file), what, next: AGAIN });
}

export interface JsonFile {
  readonly file: string;
  readonly text: string;
}

export function expectType(node: Node, type: "object" | "array", path: string, { file, text }: JsonFile): void {
  if (node.type === type) return;
  const what = `The file cannot be changed: ${path} is not ${type === "array" ? "a list" : "an object"}.`;
  throw new HooklineError({ code: "CONFIG_INVALID", where: placeAt(text, node.offset, file), what, next: AGAIN });
}

/** A key may occur twice; each of its values counts. */
export function valuesOf({ children = [] }: Node, key: string): Node[] {
  return children.flatMap(({ children: [name, value] = [] }) => (name?.value === key && value ? [value] : []));
}

/** Where a new child stands: the indentation of its line, that of one more level, and how lines end. */
export interface ChildLayout {
  readonly indent: string;
  readonly unit: string;
  readonly eol: string;
  /** The other children have lines of their own. */
  readonly isMultiline: boolean;
}

/** Adds a last child after all comments, so that each comment stays with the item it describes. */
export function appended(text: string, parent: Node, child: string | ((layout: ChildLayout) => string)): string {
  const last = parent.children?.at(-1);
  const start = last ? endOf(last) : parent.offset + 1;
  const end = endOf(parent) - 1;
  const hasComma = last !== undefined && commaIn(text, start, end) !== undefined;
  const isMultiline = text.slice(parent.offset, end).includes("\n") || (last === undefined && parent.type === "object");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = indentUnit(text);
  const outer = indentAt(text, parent.offset);
  const inner = last && isMultiline ? indentAt(text, last.offset) : outer + unit;
  const behind = start + text.slice(start, end).trimEnd().length;
  const before = isMultiline ? `${eol}${inner}` : last ? " " : "";
  const needsClosingLine = isMultiline && !text.slice(behind, end).includes("\n");
  const written = typeof child === "string" ? child : child({ indent: inner, unit, eol, isMultiline });
  return [
    text.slice(0, start),
    last && !hasComma ? "," : "",
    text.slice(start, behind),
    `${before}${written}${hasComma ? "," : ""}`,
    needsClosingLine ? `${eol}${outer}` : "",
    text.slice(behind),
  ].join("");
}

/** Whether a part of a text has a comment. */
export function hasComment(text: string): boolean {
  return stripComments(text) !== text;
}

/** Removes one item and one comma, and the line if nothing else is on it; comments stay. */
export function removed(text: string, list: Node, index: number): string {
  const { children = [] } = list;
  const item = children[index];
  if (!item) return text;
  const previous = children[index - 1];
  const comma =
    commaIn(text, endOf(item), children[index + 1]?.offset ?? endOf(list) - 1) ??
    (previous && commaIn(text, endOf(previous), item.offset));
  const cuts = [
    { from: item.offset, to: endOf(item) },
    ...(comma === undefined ? [] : [{ from: comma, to: comma + 1 }]),
  ];
  const without = cuts
    .toSorted((a, b) => b.from - a.from)
    .reduce((sofar, { from, to }) => sofar.slice(0, from) + sofar.slice(to), text);
  return withoutGap(without, comma !== undefined && comma < item.offset ? item.offset - 1 : item.offset);
}

/** Removes the empty line or doubled space that a removal leaves. */
function withoutGap(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  if (lineEnd >= 0 && lineStart > 0 && text.slice(lineStart, lineEnd).trim() === "") {
    return text.slice(0, lineStart) + text.slice(lineEnd + 1);
  }
  const isLineStart = text.slice(lineStart, at).trim() === "";
  const before = isLineStart ? text.slice(0, at) : text.slice(0, at).replace(/[ \t]+$/, "");
  const after = text.slice(at);
  return before + (isLineStart || before.endsWith("[") ? after.replace(/^[ \t]+/, "") : after);
}

/** Finds a comma between two items that is not in a comment. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return at < to && text[at] === "," ? at : undefined;
}

const endOf = ({ offset, length }: Node) => offset + length;

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function placeAt(text: string, offset: number, file: string) {
  const lines = text.slice(0, offset).split("\n");
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
