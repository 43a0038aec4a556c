import { type Fields, isFields, type Rewrite } from "@hookline/engine/program";
import { type Field, hiddenFields, type Names } from "./hiddenFields.ts";

type Path = readonly string[];
type IsHidden = (key: string, value: unknown) => boolean;

/**
 * Tells whether the old or new value of a rewrite is a secret: by all names on its path, as in the whole input, and by
 * its sibling fields.
 */
export function hiddenRewrites(
  input: unknown,
  rewrites: readonly Rewrite[],
  names: Names,
): (path: Path, value: unknown) => boolean {
  const written = new Map<string, Field[]>();
  for (const { path, before, after } of rewrites) {
    const [parent, key] = [idOf(path.slice(0, -1)), path.at(-1) ?? ""];
    const beside = written.get(parent) ?? [];
    beside.push([key, before], [key, after]);
    written.set(parent, beside);
  }
  const judges = new Map<string, IsHidden>();
  const judgeAt = (parent: Path): IsHidden => {
    const id = idOf(parent);
    const known = judges.get(id);
    if (known) return known;
    const judge = hiddenFields([...Object.entries(fieldsAt(input, parent)), ...(written.get(id) ?? [])], names);
    judges.set(id, judge);
    return judge;
  };
  return (path, value) =>
    path.some((key, index) => {
      const isLast = index === path.length - 1;
      return judgeAt(path.slice(0, index))(key, isLast ? value : fieldsAt(input, path.slice(0, index + 1)));
    });
}

/** Empty if the value is not an object. */
function fieldsAt(input: unknown, path: Path): Fields {
  return path.reduce((fields, key) => asFields(Object.hasOwn(fields, key) ? fields[key] : undefined), asFields(input));
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function idOf(path: Path): string {
  return JSON.stringify(path);
}
