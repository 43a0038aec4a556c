import { HANDLERS, yamlHookSchema } from "@hookline/engine/program";
import { EVENT_NAMES, type NamedEvent } from "../project/eventNamed.ts";
import { schemaComment, type YamlField, yamlText } from "./yamlText.ts";

interface Declared {
  readonly id: string;
  readonly event: NamedEvent;
  readonly summary: string;
  readonly worker: boolean;
  readonly command: string;
  readonly matcher?: string;
  readonly abilityScope?: readonly string[];
}

/** The schema of hook files in this version, for editors. */
export function hookSchema() {
  const kinds = HANDLERS.map(({ kind }) => kind);
  return yamlHookSchema(kinds, EVENT_NAMES).toJSONSchema({ io: "input" });
}

/** The declaration of a hook, with comments from the schema. */
export function hookYaml(declared: Declared, schemaPath: string): string {
  const { id, event, summary, worker, command } = declared;
  const { facing, output, may } = event.spec;
  const fields: readonly YamlField[] = [
    { key: "id", value: id },
    { key: "event_type", value: event.name, comment: `the event it runs on: ${event.spec.fires}` },
    { key: "enabled", value: true },
    { key: "blocking", value: facing === "ai" },
    { key: "summary", value: summary },
    ...matchFields(declared),
    {
      key: "handler",
      fields: [
        { key: "kind", value: worker ? "worker" : "script", comment: kindComment(worker) },
        { key: "command", value: command },
        { key: "timeout", value: "10s" },
        { key: "env", example: "{ LEVEL: strict }" },
        { key: "pass_env", example: "[DEPLOY_TOKEN]" },
      ],
    },
    { key: "on_failure", value: "skip", comment: "block" in may ? ON_FAILURE : "skip: a failure is recorded" },
    { key: "mode", value: "enforce" },
    // Without `hold`, the user would read the response before the hook can withhold it.
    ...(output === "afterModel" ? [{ key: "hold", value: true }] : []),
    { key: "effects", example: "Writes no file." },
  ];
  return yamlText([schemaComment(schemaPath)], fields, hookSchema());
}

const ON_FAILURE =
  "the effect of a failure of this hook. skip: it is only recorded; fail: it counts as a block, which suits guards";

function kindComment(worker: boolean): string {
  return worker
    ? "worker: one process, started by the first event; script: a process per event"
    : "script: a process per event; worker: one process that keeps running, for hooks that run often";
}

/** Omits `match` if there is no condition: an empty one is an error. */
function matchFields({ event: { spec }, matcher, abilityScope }: Declared): readonly YamlField[] {
  const { subject, conditions } = spec;
  const asked: YamlField[] = [];
  if (subject?.kind === "ability") asked.push({ key: "ability_scope", value: abilityScope ?? "*" });
  else if (subject) asked.push({ key: "subject", value: matcher ?? "*", comment: subjectComment(subject) });
  const more = Object.keys(conditions).map((key) => ({ key, example: EXAMPLES[key] ?? "…" }));
  if (asked.length > 0) return [{ key: "match", fields: [...asked, ...more] }];
  return more.map(({ key, example }) => ({ key: "match", example: `{ ${key}: ${example} }` }));
}

const EXAMPLES: Readonly<Record<string, string>> = {
  min_duration_ms: "1000",
  only_if_changed_paths: '["src/**"]',
};

function subjectComment({ field, kind }: { readonly field: string; readonly kind: string }): string {
  const cases = kind === "tool" ? "case-sensitive" : "case-insensitive";
  return `regular expression over ${field}, ${cases}; "*": all`;
}
