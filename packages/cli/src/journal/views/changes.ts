import type { JournalRecord } from "@hookline/journal";

/** `✎ rw changed tool_input.command`: who changed what of an event, each once, in the order in which they did. */
export function changesOf({ body }: JournalRecord): readonly string[] {
  const fields = new Map<string, Set<string>>();
  for (const { hook, path } of body.rewrites ?? []) {
    fields.set(hook, (fields.get(hook) ?? new Set()).add(path.join(".")));
  }
  return [...fields].map(([hook, changed]) => `✎ ${hook} changed ${[...changed].join(", ")}`);
}

/** What a run changed of its event. Runs on the final value change nothing any more. */
export function changesBy({ hook, body }: JournalRecord, event: JournalRecord | undefined): readonly string[] {
  if (event === undefined || body.applied !== true || body.pass === "second") return [];
  const rewrites = (event.body.rewrites ?? []).filter((rewrite) => rewrite.hook === hook);
  return changesOf({ ...event, body: { rewrites } });
}
