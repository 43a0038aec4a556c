import {
  doubt,
  type Entry,
  globFault,
  invalid,
  type Located,
  type Off,
  plain,
  quoted,
  type Report,
  readText,
  shown,
} from "@hookline/engine/program";
import type { NameAt } from "./abilityDeclaration.ts";
import { ABILITY_ID, OPERATION_KEY, takenByTool } from "./abilityFields.ts";

export function readAbilityId(entry: Entry | undefined, root: Located, report: Report): NameAt | undefined {
  if (entry === undefined) {
    report(invalid(root.place, 'This ability has no "id".', 'Write "id: my-ability".'));
    return undefined;
  }
  const name = plain(entry.value);
  const { place } = entry.value;
  if (typeof name !== "string" || !ABILITY_ID.test(name)) {
    const what = `The id ${shown(entry.value)} is neither kebab-case nor snake-case.`;
    report(invalid(place, what, 'Write lower-case words joined by "-" or "_".'));
    return undefined;
  }
  reportTaken({ name, place }, "id", report);
  return { name, place };
}

/** An unreadable key is an error: a guard may match the ability by it. */
export function readOperationKeys(entry: Entry | undefined, report: Report): readonly NameAt[] {
  const keys = readTexts(entry, '["db.write.user_row"]', report).filter(({ name, place }) => {
    if (OPERATION_KEY.test(name)) return true;
    const next = 'Write words of letters, digits and "_", joined by ".", ":" or "-".';
    report(invalid(place, `${quoted(name)} cannot be an operation key.`, next));
    return false;
  });
  for (const key of keys) reportTaken(key, "operation key", report);
  return keys;
}

function reportTaken({ name, place }: NameAt, as: string, report: Report): void {
  const by = takenByTool(name);
  if (by) report(invalid(place, `The ${as} "${name}" ${by}; a guard on it would match both.`, "Choose another name."));
}

export function readSummary(entry: Entry | undefined, root: Located, report: Report): string | undefined {
  const summary = readText(entry, report);
  if (summary?.trim()) return summary.trim();
  const what = "This ability has no summary.";
  if (!entry || summary !== undefined)
    report(
      doubt({ where: entry?.value.place ?? root.place, what, next: 'Write "summary: …", for people and the AI.' }),
    );
  return undefined;
}

/** An empty list is an error: it could mean "nowhere" as well as "anywhere". */
export function readEnvironments(entry: Entry | undefined, report: Report): readonly string[] {
  const named = readTexts(entry, '["staging"]', report);
  if (entry?.value.kind === "list" && entry.value.items.length === 0) {
    report(
      invalid(entry.value.place, '"environments" is empty.', "Name the environments it may run in, or remove it."),
    );
  }
  return named.map(({ name }) => name);
}

export function readWrites(entry: Entry | undefined, report: Report): readonly string[] {
  return readTexts(entry, '["docs/**"]', report).map(({ name, place }) => {
    if (/^(\/|~|\.\.(\/|$))|\/\.\.(\/|$)|\0/.test(name)) {
      const what = `"writes" cannot contain ${quoted(name)}, which leads out of the project.`;
      report(invalid(place, what, "Write globs over paths from the project root."));
    }
    const fault = globFault(name);
    if (fault !== undefined)
      report(invalid(place, `"writes" has ${quoted(name)}, which ${fault}.`, "Write a simpler glob."));
    return name;
  });
}

/** `false` switches an ability off; so does the error of an unreadable value. */
export function readEnabled(entry: Entry | undefined, report: Report): Off | undefined {
  const value = entry === undefined ? true : plain(entry.value);
  if (entry === undefined || value === true) return undefined;
  if (value === false) return { kind: "switch", by: entry.keyPlace, what: "enabled: false" };
  report(invalid(entry.value.place, `"enabled" cannot be ${shown(entry.value)}.`, "Write true or false."));
  return undefined;
}

function readTexts(entry: Entry | undefined, example: string, report: Report): readonly NameAt[] {
  if (entry === undefined) return [];
  const next = `Write a list: ${example}.`;
  if (entry.value.kind !== "list") {
    report(invalid(entry.value.place, `"${entry.key}" cannot be ${shown(entry.value)}.`, next));
    return [];
  }
  return entry.value.items.flatMap((item) => {
    const name = plain(item);
    if (typeof name === "string" && name.trim() !== "") return [{ name, place: item.place }];
    report(invalid(item.place, `"${entry.key}" cannot contain ${shown(item)}.`, next));
    return [];
  });
}
