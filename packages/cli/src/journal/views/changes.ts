import type { JournalRecord } from "@hookline/journal";

/** `✎ rw changed tool_input.command`: which hook changed what, each once, in order. */
export function changesOf({ body }: JournalRecord): readonly string[] {
  const fields = new Map<string, Set<string>>();
  for (const { hook, path } of body.rewrites ?? []) {
    fields.set(hook, (fields.get(hook) ?? new Set()).add(path.join(".")));
  }
  return [...fields].map(([hook, changed]) => `✎ ${hook} changed ${[...changed].join(", ")}`);
}

/** What a run changed in its event. Second-pass runs change nothing. */
export function changesBy({ hook, body }: JournalRecord, event: JournalRecord | undefined): readonly string[] {
  if (event === undefined || body.applied !== true || body.pass === "second") return [];
  const rewrites = (event.body.rewrites ?? []).filter((rewrite) => rewrite.hook === hook);
  return changesOf({ ...event, body: { rewrites } });
}
