import { type Fields, isFields } from "@hookline/engine/program";
/** `tool_input.file_path: a` becomes `tool_input: { file_path: a }`. Top-level keys only: no field of an event has a dot in its name. */
export function nested(fields: Fields): Fields {
  return Object.entries(fields).reduce<Fields>(
    (sofar, [key, value]) => overlay(sofar, key.split(".").reduceRight<unknown>(within, value)),
    {},
  );
}

/** A plain key replaces the whole field of the event; a dotted key sets one field in it and keeps the others of the sample. */
export function setIn(sample: Fields, given: Fields): Fields {
  return Object.entries(given).reduce<Fields>((sofar, [key, value]) => {
    if (key.includes(".")) return overlay(sofar, nested({ [key]: value }));
    return Object.fromEntries([...Object.entries(sofar), [key, value]]);
  }, sample);
}

function within(value: unknown, key: string): Fields {
  return { [key]: value };
}

/** Merges mappings key by key at any depth; replaces other values. */
export function overlay(below: Fields, above: unknown): Fields {
  if (!isFields(above)) return below;
  const merged = Object.entries(above).map(([key, value]): [string, unknown] => {
    const other = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isFields(other) && isFields(value) ? overlay(other, value) : value];
  });
  // Object.fromEntries makes "__proto__" an ordinary field.
  return Object.fromEntries([...Object.entries(below), ...merged]);
}
