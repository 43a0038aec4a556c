import { didYouMean } from "@hookline/engine/program";
import { type JournalReader, lastOutcomes } from "@hookline/journal";
import { visible } from "../../terminal/visible.ts";

/** Tell a hook that never ran apart from a mistyped name. */
export function nothingFound(reader: JournalReader | undefined, hook: string | undefined): string {
  if (!reader) return "Nothing is recorded here yet.";
  return unknownHook(reader, hook) ?? "Nothing recorded matches.";
}

/** Undefined if the journal knows the hook, or none was named. */
export function unknownHook(reader: JournalReader, hook: string | undefined): string | undefined {
  if (hook === undefined) return undefined;
  const known = lastOutcomes(reader).map((last) => last.hook);
  if (known.includes(hook)) return undefined;
  return visible(`No hook called "${hook}" is in the journal.${didYouMean(hook, known)}`);
}
