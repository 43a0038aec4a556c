import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Located } from "./located.ts";
import { fault, type Problem } from "./problem.ts";
import { textPlaces } from "./textPlaces.ts";

export type Parsed =
  | { readonly kind: "parsed"; readonly root: Located; readonly problems: readonly Problem[] }
  | { readonly kind: "broken"; readonly problem: Problem };

/** Settings nest only a few levels; the parser recurses, and a file must not be able to exhaust the stack. */
const DEEPEST = 200;

/** Parses JSON with comments and trailing commas. A syntax error rejects the whole file: the rest would be guesswork. */
export function parseJson(file: string, text: string): Parsed {
  const placeAt = textPlaces(file, text);
  const broken = (offset: number, what: string): Parsed => ({
    kind: "broken",
    problem: fault({ code: "CONFIG_SYNTAX", where: placeAt(offset), what }),
  });
  if (text.trim() === "") return broken(0, "The file is empty.");
  const tooDeepAt = offsetDeeperThan(text, DEEPEST);
  if (tooDeepAt !== undefined) return broken(tooDeepAt, `The file nests deeper than ${DEEPEST} levels.`);

  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) return broken(error.offset, `This is not JSON: ${sentence(error)}.`);
  if (tree === undefined) return broken(0, "The file holds no value.");
  return { kind: "parsed", root: locate(tree), problems: [] };

  function locate(node: Node): Located {
    const place = placeAt(node.offset);
    const children = node.children ?? [];
    if (node.type === "array") return { kind: "list", items: children.map(locate), place };
    if (node.type !== "object") return { kind: "scalar", value: node.value, place };
    const entries = children.flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined
        ? []
        : [{ key: String(key.value), keyPlace: placeAt(key.offset), value: locate(value) }],
    );
    return { kind: "map", entries, place };
  }
}

/** `CommaExpected` → `comma expected`. */
function sentence({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

function offsetDeeperThan(text: string, levels: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Not by the length of a token: behind a comment that begins at the very end, the end has a length.
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const token = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : undefined;
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth > levels) return scanner.getTokenOffset();
  }
  return undefined;
}
