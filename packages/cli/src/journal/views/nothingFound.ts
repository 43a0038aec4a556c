import { didYouMean } from "@hookline/engine";
import { visible } from "../../visible.ts";
import type { JournalReader } from "../journalReader.ts";
import { lastOutcomes } from "../queries/lastOutcomes.ts";

/** That a hook has not run is news; that its name was mistyped must not look like it. */
export function nothingFound(reader: JournalReader | undefined, hook: string | undefined): string {
  if (!reader) return "Nothing is recorded here yet.";
  const known = lastOutcomes(reader).map((last) => last.hook);
  if (hook === undefined || known.includes(hook)) return "Nothing like that is recorded.";
  return visible(`No hook called "${hook}" is in the journal.${didYouMean(hook, known)}`);
}
