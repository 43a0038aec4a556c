import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { visibleText } from "../terminal/visible.ts";
import { wrapped } from "../terminal/wrapped.ts";
import type { Schema } from "./shape.ts";

const WIDTH = 110;
const INDENT = 2;
/** No line is folded. */
const LAYOUT = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY, flowCollectionPadding: false };
/** These need no quotes, unless YAML takes them for something else than text. */
const WORDS = /^(?:\d+(?:ms|s|m)|(?:\.\/)?[A-Za-z][\w./-]*(?: [\w./-]+)*)$/;

/** One field of a YAML file. Without a value it only shows what could be written. */
export interface YamlField {
  readonly key: string;
  readonly value?: unknown;
  /** What could be written, where there is no value. */
  readonly example?: string;
  /** Instead of what the schema says about it. */
  readonly comment?: string;
  readonly fields?: readonly YamlField[];
}

/** A file that begins with these comments, every field below what the schema says about it. */
export function yamlText(head: readonly string[], fields: readonly YamlField[], schema?: Schema): string {
  // Readers of YAML 1.1 take `on`, `no` and `y` for booleans, so these get quotes.
  const document = new Document(null, { version: "1.1" });
  document.contents = mapOf(fields, schema, { head, indent: 0 });
  return visibleText(document.toString(LAYOUT));
}

/** Tells editors which schema the file follows. */
export function schemaComment(path: string): string {
  return `yaml-language-server: $schema=${path}`;
}

interface Block {
  /** Comments above the first field. */
  readonly head?: readonly string[];
  readonly indent: number;
}

function mapOf(fields: readonly YamlField[], schema: Schema | undefined, { head = [], indent }: Block): YAMLMap {
  const map = new YAMLMap();
  let comments = head;
  for (const { key, value, example = "…", comment, fields: below } of fields) {
    const own = propertyOf(schema, key);
    const said = comment ?? (typeof own === "object" ? own.description : undefined);
    if (said !== undefined) comments = [...comments, ...wrapped(said, WIDTH - indent)];
    if (value === undefined && !below) {
      comments = [...comments, `${key}: ${example}`];
      continue;
    }
    const name = scalarOf(key);
    if (comments.length > 0) name.commentBefore = commentOf(comments);
    comments = [];
    const node = below ? mapOf(below, variantOf(own, below), { indent: indent + INDENT }) : nodeOf(value);
    map.add(new Pair(name, node));
  }
  if (comments.length > 0) map.comment = commentOf(comments);
  return map;
}

/** Lists of plain values stand on one line. */
function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map(nodeOf);
    list.flow = !list.items.some((item) => item instanceof YAMLMap);
    return list;
  }
  if (typeof value !== "object" || value === null) return scalarOf(value);
  const map = new YAMLMap();
  for (const [key, item] of Object.entries(value)) map.add(new Pair(scalarOf(key), nodeOf(item)));
  return map;
}

function scalarOf(value: unknown): Scalar {
  const scalar = new Scalar(value);
  if (typeof value === "string") scalar.type = WORDS.test(value) ? "PLAIN" : "QUOTE_DOUBLE";
  return scalar;
}

function commentOf(lines: readonly string[]): string {
  return lines.map((line) => ` ${line}`).join("\n");
}

/** Of a choice of shapes the one that has this `kind`. */
function variantOf(schema: Schema | undefined, fields: readonly YamlField[]): Schema | undefined {
  const choices = typeof schema === "object" ? schema.anyOf : undefined;
  if (!choices) return schema;
  const kind = fields.find(({ key }) => key === "kind")?.value;
  return choices.find((choice) => {
    const own = propertyOf(choice, "kind");
    return typeof own === "object" && (own.const === kind || own.enum?.some((word) => word === kind));
  });
}

function propertyOf(schema: Schema | undefined, key: string): Schema | undefined {
  return typeof schema === "object" ? schema.properties?.[key] : undefined;
}
