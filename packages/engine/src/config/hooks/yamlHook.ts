import type { EventCatalog } from "../../events/eventSpec.ts";
import { type Entry, entryNamed, type Located, plain, shown } from "../values/located.ts";
import { invalid, type Problem, type Report } from "../values/problem.ts";
import type { Off } from "./hookDeclaration.ts";
import { HOOK_FIELDS, type HookField } from "./hookFields.ts";
import { type RawHook, reportRepeats, type Spelling, sortFields, unknownEvent } from "./rawHook.ts";
import { readMatch } from "./yamlMatch.ts";

const TOP_KEYS: Readonly<Record<string, string>> = {
  id: "name",
  summary: "description",
  on_failure: "onError",
  blocking: "blocking",
  mode: "mode",
  hold: "hold",
  replay: "replay",
  sequential: "sequential",
};
/** Read in this file, not hook fields; `effects` is a description, never executed. */
const READ_HERE = ["event_type", "enabled", "match", "handler", "effects"];
const HANDLER_KEYS: Readonly<Record<string, string>> = {
  kind: "type",
  type: "type",
  timeout: "timeout",
  retries: "retries",
  env: "env",
  pass_env: "passEnv",
  passEnv: "passEnv",
};

export const onFailure: HookField<"allow" | "block"> = {
  read: (word) => (word === "fail" ? "block" : word === "skip" ? "allow" : undefined),
  absent: HOOK_FIELDS.onError.absent,
  unreadable: HOOK_FIELDS.onError.unreadable,
  write: '"skip" or "fail"',
};

const inHandler = 'Write it inside "handler".';
const SPELLING: Spelling = {
  kindKey: "handler.kind",
  kindWord: (kind) => kind.yamlKind,
  onError: onFailure,
  keys: { ...TOP_KEYS, ...HANDLER_KEYS, "match.subject": "matcher", match: "match" },
  elsewhere: {
    kind: inHandler,
    command: inHandler,
    module: inHandler,
    url: inHandler,
    timeout: inHandler,
    env: inHandler,
    retries: inHandler,
    matcher: 'Write it as "match.subject".',
    onError: 'Write "on_failure": "skip" or "fail".',
    name: 'Write it as "id".',
    description: 'Write it as "summary".',
  },
};

/** Reads the hook of a YAML file; returns none if its event cannot be read. */
export function readYamlHook(root: Located, catalog: EventCatalog): { hook?: RawHook; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  if (root.kind !== "map") {
    report(
      invalid(
        root.place,
        `A hook file must be one mapping, got ${shown(root)}.`,
        "Begin with id, event_type and handler.",
      ),
    );
    return { problems };
  }
  reportRepeats(root, report);
  const event = entryNamed(root, "event_type");
  const eventName = event === undefined ? undefined : plain(event.value);
  if (typeof eventName !== "string" || !Object.hasOwn(catalog, eventName)) {
    report(
      event === undefined || typeof eventName !== "string"
        ? invalid(
            (event?.value ?? root).place,
            "This hook does not name its event, so it does not run.",
            'Write "event_type: PreAbilityCall".',
          )
        : unknownEvent(eventName, event.value.place, catalog),
    );
    return { problems };
  }
  checkId(root.entries, root, report);
  const handler = entryNamed(root, "handler");
  const known = root.entries.filter(({ key }) => Object.hasOwn(TOP_KEYS, key));
  const inside = handler?.value.kind === "map" ? handler.value.entries : [];
  const isTop = ({ key }: Entry) => Object.hasOwn(TOP_KEYS, key) || READ_HERE.includes(key);
  const misplaced = inside.filter(isTop);
  const { match, subject, matchEntry } = readMatch(entryNamed(root, "match"), report);
  const off = readEnabled(entryNamed(root, "enabled"), report);
  const fields = [...known, ...inside.filter((entry) => !misplaced.includes(entry)), ...subject, ...matchEntry];
  const unknown = root.entries.filter((entry) => !isTop(entry));
  const hint = 'Write it outside "handler".';
  const hook: RawHook = {
    eventName,
    place: root.place,
    spelling: SPELLING,
    ...sortFields(fields, SPELLING.keys),
    unknown: [...unknown.map((entry) => ({ entry })), ...misplaced.map((entry) => ({ entry, hint }))],
    match,
    ...(off === undefined ? {} : { off }),
    ...(handler?.value.kind === "map" ? {} : { fault: noHandler(handler, root) }),
  };
  return { hook, problems };
}

function noHandler(handler: Entry | undefined, root: Located): Problem {
  const what = handler ? `"handler" must be a mapping, got ${shown(handler.value)}.` : 'This hook has no "handler".';
  return invalid(
    (handler?.value ?? root).place,
    what,
    'Write "handler:" with "kind: script" and "command: …" below it.',
  );
}

function checkId(entries: readonly Entry[], root: Located, report: Report): void {
  const id = entries.findLast(({ key }) => key === "id");
  if (id === undefined) report(invalid(root.place, 'This hook has no "id".', 'Write "id: my-hook".'));
  else if (!/^[a-z0-9]+([-_][a-z0-9]+)*$/.test(String(plain(id.value)))) {
    const what = `The id ${shown(id.value)} is neither kebab-case nor snake-case.`;
    report(invalid(id.value.place, what, 'Write lower-case words joined by "-" or "_".'));
  }
}

/** Only a plain `false` turns a hook off; an unreadable value leaves it on. */
function readEnabled(entry: Entry | undefined, report: Report): Off | undefined {
  const value = entry === undefined ? true : plain(entry.value);
  if (entry === undefined || value === true) return undefined;
  if (value === false) return { kind: "switch", by: entry.keyPlace, what: "enabled: false" };
  const what = `"enabled" cannot be ${shown(entry.value)}; until it is corrected it counts as true.`;
  report(invalid(entry.value.place, what, "Write true or false."));
  return undefined;
}
