import { shown } from "../values/located.ts";
import { didYouMean, nearest } from "../values/nearest.ts";
import { invalid, type Problem, type Report } from "../values/problem.ts";
import type { KindSpec } from "./hookDeclaration.ts";
import { SAFETY_FIELDS } from "./hookFields.ts";
import type { RawHook, UnknownKey } from "./rawHook.ts";

/** The kind that a hook names. Without one, a `command` is enough to assume the kind, which is reported. */
export function findKind(
  raw: RawHook,
  kinds: readonly KindSpec[],
  report: Report,
): { readonly kind: KindSpec } | { readonly problem: Problem } {
  if (raw.fault !== undefined) return { problem: raw.fault };
  const { kindKey, kindWord } = raw.spelling;
  const entry = raw.fields.get("type");
  const word = entry?.value.kind === "scalar" ? entry.value.value : undefined;
  const declarable = kinds.filter((kind) => kindWord(kind) !== null);
  const named = declarable.find((kind) => kindWord(kind) === word || kind.type === word);
  if (named !== undefined) return { kind: named };

  const words = declarable.flatMap((kind) => kindWord(kind) ?? []);
  const next = `Write "${kindKey}" as one of ${words.map((known) => `"${known}"`).join(", ")}.`;
  if (entry !== undefined) {
    const guess = typeof word === "string" ? didYouMean(word, words) : "";
    return { problem: invalid(entry.value.place, `${shown(entry.value)} is not a kind of hook.${guess}`, next) };
  }
  const assumed = raw.fields.has("command") ? kinds.find(({ type }) => type === "command") : undefined;
  if (assumed === undefined) return { problem: invalid(raw.place, `This hook has no "${kindKey}".`, next) };
  report(invalid(raw.place, `This hook has no "${kindKey}"; it is run as "${kindWord(assumed)}".`, next));
  return { kind: assumed };
}

/** Reports unknown keys, and returns the safety fields they misspell: those count as unreadable. */
export function unknownKeys(raw: RawHook, kind: KindSpec | undefined, report: Report): readonly string[] {
  const { keys, elsewhere } = raw.spelling;
  const own = kind === undefined ? [] : kind.fields.names;
  const fields = new Set([...Object.values(keys), ...own]);
  // Without a kind, its further fields are unknown.
  const strange: readonly UnknownKey[] =
    kind === undefined ? [] : [...raw.fields].flatMap(([field, entry]) => (fields.has(field) ? [] : { entry }));
  return [...raw.unknown, ...strange].flatMap(({ entry, hint = hintFor(entry.key, elsewhere) }) => {
    const guess = nearest(entry.key, [...Object.keys(keys), ...own]);
    const meant = guess === undefined ? undefined : (keys[guess] ?? guess);
    const isSafety = meant !== undefined && SAFETY_FIELDS.includes(meant) && !raw.fields.has(meant);
    const reading = isSafety ? ` Until it is corrected, the stricter reading of "${guess}" holds.` : "";
    const what =
      hint === undefined ? `"${entry.key}" is not a field of a hook.` : `"${entry.key}" has no meaning here.`;
    const question = guess === undefined || hint !== undefined ? "" : ` Did you mean "${guess}"?`;
    const next = hint ?? (guess === undefined ? "Remove it, or correct its name." : `Write "${guess}".`);
    report(invalid(entry.keyPlace, `${what}${question}${reading}`, next));
    return isSafety ? [meant] : [];
  });
}

function hintFor(key: string, elsewhere: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
}
