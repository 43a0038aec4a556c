import type { FieldRow } from "./dialect.ts";
import { type Fields, isFields, ownOf } from "./fields.ts";

/** The same name on both sides. */
export const same = (name: string): FieldRow => ({ theirs: name, ours: name });

export const renamed = (theirs: string, ours: string): FieldRow => ({ theirs, ours });

interface Words {
  /** The words of ours that need no translation. */
  readonly shared: readonly string[];
  readonly decode?: Readonly<Record<string, string>>;
  readonly encode?: Readonly<Record<string, string>>;
  /** For words of theirs that we do not know, such as those of a later version. */
  readonly otherwise: string;
}

/** A field whose words differ. */
export function words(name: string, { shared, decode = {}, encode = {}, otherwise }: Words): FieldRow {
  return {
    theirs: name,
    ours: name,
    decode: (value) => {
      if (typeof value !== "string") return value;
      return shared.includes(value) ? value : (ownOf(decode, value) ?? otherwise);
    },
    encode: (value) => (typeof value === "string" ? (ownOf(encode, value) ?? value) : value),
  };
}

/** Text that the host may send as null. */
export function nullableText(theirs: string, ours = theirs): FieldRow {
  return { theirs, ours, decode: (value) => value ?? "", encode: (value) => (value === "" ? null : value) };
}

/** Their fields under our names; those that we lack keep theirs, unless they would stand for another of ours. */
export function decodeFields(rows: readonly FieldRow[], payload: Fields): Fields {
  const byTheirs = new Map(rows.map((row) => [row.theirs, row]));
  const ours = new Set(rows.map((row) => row.ours));
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) => {
      const row = byTheirs.get(name);
      if (row) return [[row.ours, row.decode ? row.decode(value) : value]];
      return ours.has(name) ? [] : [[name, value]];
    }),
  );
}

/** Our fields under their names; those that the host does not have are left out. */
export function encodeFields(rows: readonly FieldRow[], fields: Fields): Fields {
  return Object.fromEntries(
    rows.flatMap(({ theirs, ours, encode }) => {
      if (!Object.hasOwn(fields, ours) || fields[ours] === undefined) return [];
      return [[theirs, encode ? encode(fields[ours], fields) : fields[ours]]];
    }),
  );
}

/** The text of a tool's result, of whatever shape. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(resultText).join("\n");
  if (!isFields(value)) return value === undefined || value === null ? "" : String(value);
  const { stdout, stderr, text, content } = value;
  if (typeof stdout === "string")
    return [stdout, stderr].filter((part) => typeof part === "string" && part !== "").join("\n");
  if (typeof text === "string") return text;
  return content === undefined ? JSON.stringify(value) : resultText(content);
}
