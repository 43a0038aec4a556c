import { HooklineError } from "@hookline/engine";
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** Adds a name to `hooksConfig.disabled` in the text of a settings file; keeps everything else as written. */
export function withName(text: string, name: string, file: string): string {
  const root = parsed(text, file);
  const item = JSON.stringify(name);
  const [config] = valuesOf(root, "hooksConfig");
  if (config === undefined) return appended(text, root, `"hooksConfig": { "disabled": [${item}] }`);
  expectType(config, "object", "hooksConfig", file, text);
  const lists = valuesOf(config, "disabled");
  const [list] = lists;
  if (list === undefined) return appended(text, config, `"disabled": [${item}]`);
  expectType(list, "array", "hooksConfig.disabled", file, text);
  const isListed = lists.some(({ children = [] }) => children.some(({ value }) => value === name));
  return isListed ? text : appended(text, list, item);
}

/** Removes every occurrence of the name from `hooksConfig.disabled`. */
export function withoutName(text: string, name: string, file: string): string {
  const lists = valuesOf(parsed(text, file), "hooksConfig").flatMap((config) => valuesOf(config, "disabled"));
  for (const list of lists) {
    const index = list.children?.findIndex(({ value }) => value === name) ?? -1;
    if (index >= 0) return withoutName(removed(text, list, index), name, file);
  }
  return text;
}

function parsed(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root && !error) {
    expectType(root, "object", "the file", file, text);
    return root;
  }
  const what = `The file cannot be changed because it is not JSON: ${error ? printParseErrorCode(error.error) : "it is empty"}.`;
  throw new HooklineError({ code: "CONFIG_SYNTAX", where: placeAt(text, error?.offset ?? 0, file), what });
}

function expectType(node: Node, type: "object" | "array", path: string, file: string, text: string): void {
  if (node.type === type) return;
  const what = `The file cannot be changed: ${path} is not ${type === "array" ? "a list" : "an object"}.`;
  throw new HooklineError({ code: "CONFIG_INVALID", where: placeAt(text, node.offset, file), what });
}

/** A key may occur twice; each of its values counts. */
function valuesOf({ children = [] }: Node, key: string): Node[] {
  return children.flatMap(({ children: [name, value] = [] }) => (name?.value === key && value ? [value] : []));
}

/** Adds a last child after all comments, so that each comment stays with the item it describes. */
function appended(text: string, parent: Node, child: string): string {
  const last = parent.children?.at(-1);
  const start = last ? endOf(last) : parent.offset + 1;
  const end = endOf(parent) - 1;
  const hasComma = last !== undefined && commaIn(text, start, end) !== undefined;
  const isMultiline = text.slice(parent.offset, end).includes("\n") || (last === undefined && parent.type === "object");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, parent.offset);
  const inner = last && isMultiline ? indentAt(text, last.offset) : outer + indentUnit(text);
  const behind = start + text.slice(start, end).trimEnd().length;
  const before = isMultiline ? `${eol}${inner}` : last ? " " : "";
  const needsClosingLine = isMultiline && !text.slice(behind, end).includes("\n");
  return [
    text.slice(0, start),
    last && !hasComma ? "," : "",
    text.slice(start, behind),
    `${before}${child}${hasComma ? "," : ""}`,
    needsClosingLine ? `${eol}${outer}` : "",
    text.slice(behind),
  ].join("");
}

/** Removes one item and one comma, and the line if nothing else is on it; comments stay. */
function removed(text: string, list: Node, index: number): string {
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
