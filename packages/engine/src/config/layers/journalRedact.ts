import { type Entry, type Located, plain, shown } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { invalid, type Report } from "../values/problem.ts";
import { type JournalSetting, journalOver, UNSURE } from "./journalSetting.ts";

interface RedactList {
  /** Describes what is wrong with one of its texts. */
  readonly fault: (text: string) => string | undefined;
  readonly set: (texts: readonly string[]) => JournalSetting;
  readonly example: string;
}

const PATH = "hooksConfig.journal.redact";
const LISTS: Readonly<Record<string, RedactList>> = {
  keys: { fault: () => undefined, set: (redactKeys) => ({ redactKeys }), example: '["iban"]' },
  patterns: { fault: patternFault, set: (redactPatterns) => ({ redactPatterns }), example: '["KD-\\\\d{6}"]' },
};

/** Every field here redacts something. An unreadable one leaves the others in force, and the journal keeps no payloads. */
export function readRedact(value: Located, report: Report): JournalSetting {
  if (value.kind === "map") return value.entries.map((entry) => readList(entry, report)).reduce(journalOver, {});
  const next = `Write { "keys": ${LISTS.keys?.example}, "patterns": ${LISTS.patterns?.example} }.`;
  report(invalid(value.place, `"${PATH}" must be an object, got ${shown(value)}. ${UNSURE}.`, next));
  return { isUnsure: true };
}

function readList({ key, keyPlace, value }: Entry, report: Report): JournalSetting {
  const list = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
  if (list === undefined) {
    const known = Object.keys(LISTS);
    const what = `"${key}" is not a field of "${PATH}".${didYouMean(key, known)} ${UNSURE}.`;
    report(invalid(keyPlace, what, `The fields are ${known.join(" and ")}.`));
    return { isUnsure: true };
  }
  const next = `Write a list of texts, such as ${list.example}.`;
  if (value.kind !== "list") {
    report(invalid(value.place, `"${PATH}.${key}" must be a list, got ${shown(value)}. ${UNSURE}.`, next));
    return { isUnsure: true };
  }
  const texts = value.items.flatMap((item) => {
    const text = plain(item);
    const isText = typeof text === "string" && text !== "";
    const fault = isText ? list.fault(text) : "is not a non-empty string";
    if (isText && fault === undefined) return [text];
    report(invalid(item.place, `"${PATH}.${key}" has ${shown(item)}, which ${fault}. ${UNSURE}.`, next));
    return [];
  });
  return { ...list.set(texts), isUnsure: texts.length < value.items.length };
}

/** Uses the `u` flag, like the journal. */
function patternFault(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.split(": ").at(-1) : undefined;
    return `is not a regular expression (${why ?? "unreadable"})`;
  }
}
