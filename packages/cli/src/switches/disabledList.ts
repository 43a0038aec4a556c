import { appended, expectType, parsedObject, removed, valuesOf } from "./jsonText.ts";

/** Adds a name to `hooksConfig.disabled` in the text of a settings file; keeps everything else as written. */
export function withName(text: string, name: string, file: string): string {
  const root = parsedObject(text, file);
  const item = JSON.stringify(name);
  const [config] = valuesOf(root, "hooksConfig");
  if (config === undefined) return appended(text, root, `"hooksConfig": { "disabled": [${item}] }`);
  expectType(config, "object", "hooksConfig", { file, text });
  const lists = valuesOf(config, "disabled");
  const [list] = lists;
  if (list === undefined) return appended(text, config, `"disabled": [${item}]`);
  expectType(list, "array", "hooksConfig.disabled", { file, text });
  const isListed = lists.some(({ children = [] }) => children.some(({ value }) => value === name));
  return isListed ? text : appended(text, list, item);
}

/** Removes every occurrence of the name from `hooksConfig.disabled`. */
export function withoutName(text: string, name: string, file: string): string {
  const lists = valuesOf(parsedObject(text, file), "hooksConfig").flatMap((config) => valuesOf(config, "disabled"));
  for (const list of lists) {
    const index = list.children?.findIndex(({ value }) => value === name) ?? -1;
    if (index >= 0) return withoutName(removed(text, list, index), name, file);
  }
  return text;
}
