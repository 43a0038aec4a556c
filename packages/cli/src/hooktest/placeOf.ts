import type { Located, Place } from "@hookline/engine/program";

type Path = readonly PropertyKey[];

/** The place of a value; if it is absent, the place of the nearest enclosing one. */
export function placeOf(root: Located, path: Path): Place {
  return nodeAt(root, path).place;
}

/** The place of a value's key; for an item of a list, the place of the item. */
export function keyPlaceOf(root: Located, path: Path): Place {
  const parent = nodeAt(root, path.slice(0, -1));
  const entry = parent.kind === "map" ? parent.entries.findLast(({ key }) => key === path.at(-1)) : undefined;
  return entry?.keyPlace ?? placeOf(root, path);
}

function nodeAt(node: Located, [step, ...rest]: Path): Located {
  if (step === undefined) return node;
  const inner = childOf(node, step);
  return inner === undefined ? node : nodeAt(inner, rest);
}

function childOf(node: Located, step: PropertyKey): Located | undefined {
  if (node.kind === "list") return typeof step === "number" ? node.items[step] : undefined;
  return node.kind === "map" ? node.entries.findLast(({ key }) => key === step)?.value : undefined;
}
