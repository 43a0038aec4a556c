import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";
import {
  appended,
  type ChildLayout,
  expectType,
  hasComment,
  type Node,
  parsedObject,
  removed,
  valuesOf,
} from "../switches/jsonText.ts";
import type { HookGroup } from "./seat.ts";

export interface EntryOptions {
  /** For messages. */
  readonly file: string;
  readonly isOurs: (hook: unknown) => boolean;
}

/** Adds the wanted groups to the text of a host's file. Everything else stays as it is written; nothing changes if they are there. */
export function withGroups(text: string, wanted: ReadonlyMap<string, HookGroup>, options: EntryOptions): string {
  const kept = new Set<string>();
  const isStale = ({ event, group }: OwnHook) => {
    if (kept.has(event) || !isDeepStrictEqual(plainValue(group), wanted.get(event))) return true;
    kept.add(event);
    return false;
  };
  // One reading decides what is kept; the removals below change offsets, so each reads the text again.
  const stale = ownHooks(text, options).map((own) => isStale(own));
  const cleared = stale.includes(true) ? withoutStale(text, stale, options) : text;
  return [...wanted].reduce(
    (sofar, [event, group]) => (kept.has(event) ? sofar : withGroup(sofar, event, group, options)),
    cleared,
  );
}

/** Removes all hooks of ours, and the lists that only they were in, unless `before`, the text without them, had those. */
export function withoutGroups(text: string, options: EntryOptions & { readonly before?: string | undefined }): string {
  const had = options.before === undefined ? new Set<string>() : listsIn(options.before, options.file);
  let left = text;
  for (let own = ownHooks(left, options)[0]; own !== undefined; own = ownHooks(left, options)[0]) {
    const { event } = own;
    left = withoutHook(left, own);
    if (!had.has(event)) left = withoutEmpty(left, event, options.file);
  }
  return left === text || had.has("") ? left : withoutEmpty(left, undefined, options.file);
}

/** By event, the groups that hold a hook of ours. */
export function ownGroups(text: string, options: EntryOptions): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, readonly unknown[]>();
  for (const { event, group } of ownHooks(text, options)) {
    groups.set(event, [...(groups.get(event) ?? []), plainValue(group)]);
  }
  return groups;
}

interface OwnHook {
  readonly event: string;
  readonly list: Node;
  readonly group: Node;
  readonly hook: Node;
}

/** The hooks of ours in a file, in their order. */
function ownHooks(text: string, { file, isOurs }: EntryOptions): readonly OwnHook[] {
  return eventLists(text, file).flatMap(({ event, list }) =>
    (list.children ?? []).flatMap((group) =>
      hooksIn(group).flatMap((hook) => (isOurs(getNodeValue(hook)) ? [{ event, list, group, hook }] : [])),
    ),
  );
}

/** The parser's objects have no prototype, which a strict comparison would take for a difference. */
function plainValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** The lists of events. Throws if `hooks` is not an object; skips an event whose value is not a list. */
function eventLists(text: string, file: string): readonly { readonly event: string; readonly list: Node }[] {
  return valuesOf(parsedObject(text, file), "hooks").flatMap((hooks) => {
    expectType(hooks, "object", '"hooks"', { file, text });
    return (hooks.children ?? []).flatMap(({ children: [key, list] = [] }) =>
      key !== undefined && list?.type === "array" ? [{ event: String(key.value), list }] : [],
    );
  });
}

function hooksIn(group: Node): readonly Node[] {
  return group.type === "object" ? valuesOf(group, "hooks").flatMap(({ children = [] }) => children) : [];
}

function withoutStale(text: string, stale: readonly boolean[], options: EntryOptions): string {
  let left = text;
  // From the last: the removal of one does not change the places of those before it.
  for (let index = stale.length - 1; index >= 0; index -= 1) {
    const own = stale[index] ? ownHooks(left, options)[index] : undefined;
    if (own !== undefined) left = withoutHook(left, own);
  }
  return left;
}

/** Removes the hook, and its group if it has no other hook and no comment: a comment is not ours. */
function withoutHook(text: string, { list, group, hook }: OwnHook): string {
  const inGroup = hooksIn(group);
  const around =
    text.slice(group.offset, hook.offset) + text.slice(hook.offset + hook.length, group.offset + group.length);
  if (inGroup.length === 1 && !hasComment(around)) return removed(text, list, (list.children ?? []).indexOf(group));
  const parent = valuesOf(group, "hooks").find(({ children = [] }) => children.includes(hook));
  return parent === undefined ? text : removed(text, parent, (parent.children ?? []).indexOf(hook));
}

function withGroup(text: string, event: string, group: HookGroup, { file }: EntryOptions): string {
  const root = parsedObject(text, file);
  const hooks = valuesOf(root, "hooks").at(-1);
  if (hooks === undefined)
    return appended(text, root, (layout) => `"hooks": ${inBraces(layout, (inner) => entry(event, group, inner))}`);
  expectType(hooks, "object", '"hooks"', { file, text });
  const list = valuesOf(hooks, event).at(-1);
  if (list === undefined) return appended(text, hooks, (layout) => entry(event, group, layout));
  expectType(list, "array", `"hooks.${event}"`, { file, text });
  return appended(text, list, oneLine(group));
}

function inBraces(layout: ChildLayout, content: (inner: ChildLayout) => string): string {
  const { indent, unit, eol, isMultiline } = layout;
  if (!isMultiline) return `{ ${content(layout)} }`;
  const inner = { ...layout, indent: indent + unit };
  return `{${eol}${inner.indent}${content(inner)}${eol}${indent}}`;
}

function entry(event: string, group: HookGroup, { indent, unit, eol, isMultiline }: ChildLayout): string {
  const name = JSON.stringify(event);
  return isMultiline
    ? `${name}: [${eol}${indent}${unit}${oneLine(group)}${eol}${indent}]`
    : `${name}: [${oneLine(group)}]`;
}

/** A group per line keeps the difference short enough to be read. A line break in JSON is never inside of a string. */
function oneLine(group: HookGroup): string {
  return JSON.stringify(group, null, 1).replaceAll(/\n\s*/g, " ");
}

/** The events that have a list, and "" if there is an object for them. */
function listsIn(text: string, file: string): ReadonlySet<string> {
  if (text.trim() === "") return new Set();
  const events = eventLists(text, file).map(({ event }) => event);
  return new Set([...(valuesOf(parsedObject(text, file), "hooks").length > 0 ? [""] : []), ...events]);
}

/** Removes the list of an event, or `hooks` itself, if it is empty. */
function withoutEmpty(text: string, event: string | undefined, file: string): string {
  const root = parsedObject(text, file);
  const parents = event === undefined ? [root] : valuesOf(root, "hooks");
  for (const parent of parents) {
    const children = parent.children ?? [];
    const index = children.findIndex(({ children: [key, value] = [] }) => {
      const isNamed = key?.value === (event ?? "hooks");
      return isNamed && value !== undefined && isEmpty(value, text);
    });
    if (index >= 0) return withoutEmpty(removed(text, parent, index), event, file);
  }
  return text;
}

function isEmpty({ offset, length, children = [] }: Node, text: string): boolean {
  return children.length === 0 && !hasComment(text.slice(offset, offset + length));
}
