import { type Entry, type Located, plain, shown } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { invalid, type Report } from "../values/problem.ts";
import { type JournalSetting, journalOver, UNSURE } from "./journalSetting.ts";

interface RedactList {
  /** What is wrong with one of its texts. */
  readonly fault: (text: string) => string | undefined;
  readonly set: (texts: readonly string[]) => JournalSetting;
  readonly example: string;
}

const PATH = "hooksConfig.journal.redact";
const LISTS: Readonly<Record<string, RedactList>> = {
  keys: { fault: () => undefined, set: (redactKeys) => ({ redactKeys }), example: '["iban"]' },
  patterns: { fault: patternFault, set: (redactPatterns) => ({ redactPatterns }), example: '["KD-\\\\d{6}"]' },
};

/** Everything in here hides something. So whatever cannot be read leaves the rest in force, and the journal without payloads. */
export function readRedact(value: Located, report: Report): JournalSetting {
  if (value.kind === "map") return value.entries.map((entry) => readList(entry, report)).reduce(journalOver, {});
  const next = `Write { "keys": ${LISTS.keys?.example}, "patterns": ${LISTS.patterns?.example} }.`;
  report(invalid(value.place, `"${PATH}" is an object, not ${shown(value)}. ${UNSURE}.`, next));
  return { isUnsure: true };
}

function readList({ key, keyPlace, value }: Entry, report: Report): JournalSetting {
  const list = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
  if (list === undefined) {
    const known = Object.keys(LISTS);
    const what = `"${key}" is no field of "${PATH}".${didYouMean(key, known)} ${UNSURE}.`;
    report(invalid(keyPlace, what, `The fields are ${known.join(" and ")}.`));
    return { isUnsure: true };
  }
  const next = `Write a list of texts, such as ${list.example}.`;
  if (value.kind !== "list") {
    report(invalid(value.place, `"${PATH}.${key}" is a list, not ${shown(value)}. ${UNSURE}.`, next));
    return { isUnsure: true };
  }
  const texts = value.items.flatMap((item) => {
    const text = plain(item);
    const isText = typeof text === "string" && text !== "";
    const fault = isText ? list.fault(text) : "is no text, or an empty one";
    if (isText && fault === undefined) return [text];
    report(invalid(item.place, `"${PATH}.${key}" has ${shown(item)}, which ${fault}. ${UNSURE}.`, next));
    return [];
  });
  return { ...list.set(texts), isUnsure: texts.length < value.items.length };
}

/** With the flag `u`, as the journal reads it. */
function patternFault(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.split(": ").at(-1) : undefined;
    return `is no regular expression (${why ?? "unreadable"})`;
  }
}
