import { Composer, type Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser } from "yaml";
import type { Entry, Located } from "./located.ts";
import type { Parsed } from "./parseJson.ts";
import { doubt, fault } from "./problem.ts";
import { textPlaces } from "./textPlaces.ts";

/** Such a file is a page at most; these limits keep a hostile one from taking the process down. */
const LARGEST_CHARACTERS = 256 * 1024;
const DEEPEST = 100;
const MOST_ALIASES = 100;
const MOST_VALUES = 20_000;

class Unusable extends Error {}

/** One YAML document, which declares one thing. Repeated keys are kept; the reader reports them. */
export function parseYaml(file: string, text: string, declares = "hook"): Parsed {
  const placeAt = textPlaces(file, text);
  const broken = (offset: number, what: string): Parsed => ({
    kind: "broken",
    problem: fault({ code: "CONFIG_SYNTAX", where: placeAt(offset), what }),
  });
  if (text.length > LARGEST_CHARACTERS)
    return broken(0, `The file is too large for one ${declares}; the limit is 256 KiB.`);
  const composed = compose(text);
  if (composed === "too deep") return broken(0, `The file nests deeper than ${DEEPEST} levels.`);
  const [document, second] = composed;
  if (second !== undefined)
    return broken(second.range[0], `The file holds more than one document; write one ${declares} per file.`);
  if (document === undefined || document.contents === null) return broken(0, "The file is empty.");
  const [error] = document.errors;
  if (error !== undefined) return broken(error.pos[0], `This is not YAML: ${firstLine(error.message)}`);
  try {
    const root = locate(document.contents, { document, placeAt, values: 0, aliases: 0 });
    const problems = document.warnings.map(({ pos, message }) =>
      doubt({ where: placeAt(pos[0]), what: firstLine(message) }),
    );
    return { kind: "parsed", root, problems };
  } catch (unusable) {
    if (unusable instanceof Unusable) return broken(0, unusable.message);
    throw unusable;
  }
}

// The composer recurses, and an exhausted stack inside it ends the process; the parser keeps its own stack, so depth is
// known before anything recurses.
function compose(text: string): readonly Document.Parsed[] | "too deep" {
  const parser = new Parser();
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return "too deep";
  }
  tokens.push(...parser.end());
  return [...new Composer({ uniqueKeys: false, prettyErrors: false }).compose(tokens)];
}

interface Walk {
  readonly document: Document.Parsed;
  readonly placeAt: ReturnType<typeof textPlaces>;
  values: number;
  aliases: number;
}

function locate(node: unknown, walk: Walk): Located {
  if (++walk.values > MOST_VALUES) throw new Unusable(`The file holds more than ${MOST_VALUES} values.`);
  const place = walk.placeAt(offsetOf(node));
  if (isAlias(node)) {
    if (++walk.aliases > MOST_ALIASES) throw new Unusable(`The file uses more than ${MOST_ALIASES} aliases.`);
    const anchored = node.resolve(walk.document);
    if (anchored === undefined) throw new Unusable(`The alias "*${node.source}" on line ${place.line} has no anchor.`);
    return locate(anchored, walk);
  }
  if (isSeq(node)) return { kind: "list", items: node.items.map((item) => locate(item, walk)), place };
  if (!isMap(node)) return { kind: "scalar", value: isScalar(node) ? node.value : null, place };
  const entries = node.items.map(({ key, value }): Entry => {
    const name = isScalar(key) ? String(key.value) : String(key);
    return { key: name, keyPlace: walk.placeAt(offsetOf(key)), value: locate(value, walk) };
  });
  return { kind: "map", entries, place };
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
