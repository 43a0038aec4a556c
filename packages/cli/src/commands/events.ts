import type { EventSpec } from "@hookline/engine";
import { baseInput } from "@hookline/engine/program";
import { allEvents, eventNamed, type NamedEvent } from "../project/eventNamed.ts";
import { inputFields, inputSchema } from "../project/inputFields.ts";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { aligned } from "../terminal/table.ts";
import { visibleJson } from "../terminal/visible.ts";

export const events: Command = {
  name: "events",
  summary: "show the events that hooks can run on, and what they may do there",
  parameters: [{ name: "event", description: "one event, in full", completes: "events" }],
  options: [],
  examples: [
    ["hookline events", "all of them"],
    ["hookline events BeforeTool", "its input, a sample, and what block, stop and ask mean"],
  ],
  async run(io, { args: [name], options }) {
    const wanted = name === undefined ? undefined : eventNamed(name);
    if (options.json) io.stdout(`${visibleJson(wanted ? asJson(wanted) : allEvents().map(asJson))}\n`);
    else io.stdout(`${(wanted ? details(wanted, io) : overview(io)).join("\n")}\n`);
    return ExitCode.ok;
  },
};

const VOCABULARIES = {
  agent: "agent vocabulary (answers: HookOutput)",
  ability: "ability vocabulary (answers: HookResult)",
};

function overview(io: Io): string[] {
  const { bold, dim } = colours(io);
  const all = allEvents();
  const width = Math.max(...all.map(({ name }) => name.length));
  const rows = (vocabulary: EventSpec["vocabulary"]) =>
    all
      .filter(({ spec }) => spec.vocabulary === vocabulary)
      .flatMap(({ name, spec }) => [
        `  ${name.padEnd(width)}  ${spec.fires}`,
        dim(`  ${"".padEnd(width)}  ${traits(spec)}`),
      ]);
  return [
    bold(VOCABULARIES.agent),
    ...rows("agent"),
    "",
    bold(VOCABULARIES.ability),
    ...rows("ability"),
    "",
    dim("`hookline events <event>` shows all of one."),
  ];
}

function traits({ subject, may, honours, signals }: EventSpec): string {
  const powers = Object.keys(may);
  const kinds = Object.keys(signals);
  return [
    subject === null ? "no subject" : `subject ${subject.field}`,
    powers.length === 0 ? "blocks nothing" : `may ${powers.join(", ")}`,
    ...(honours.length === 0 ? [] : [`honours ${honours.join(", ")}`]),
    ...(kinds.length === 0 ? [] : [`signals ${kinds.join(", ")}`]),
  ].join(" · ");
}

const SUBJECT_KINDS = {
  tool: "a regular expression over the tool's names, case-sensitive",
  trigger: "a regular expression, case-insensitive",
  ability: "globs over ability ids and operation keys",
};

function details({ name, spec }: NamedEvent, io: Io): string[] {
  const paint = colours(io);
  const { bold, dim } = paint;
  const base = inputFields({ input: baseInput }).filter(({ required }) => required);
  return [
    `${bold(name)}  ${dim(`${spec.vocabulary} vocabulary, ${spec.facing === "ai" ? "AI-facing" : "infra"}`)}`,
    `fires ${spec.fires}`,
    "",
    ...aligned(facts(spec, paint)),
    "",
    bold("input"),
    ...aligned(
      inputFields(spec).map(({ name: field, type, required, description }) => [
        required ? field : `${field}?`,
        { text: type, style: dim },
        description,
      ]),
      "  ",
    ),
    dim(`  and always ${base.map((field) => field.name).join(", ")}`),
    "",
    bold("sample"),
    ...visibleJson(spec.sample)
      .split("\n")
      .map((line) => `  ${line}`),
    "",
    dim(`Try it: hookline fire ${name}`),
  ];
}

function facts({ subject, may, honours, rewrites, conditions, signals }: EventSpec, { cyan, dim }: Colours) {
  const fact = (label: string, text: string, style = cyan) => [{ text: label, style }, text];
  return [
    subject === null
      ? fact("subject", dim("none: matchers are ignored"))
      : fact("subject", `${subject.field}: ${SUBJECT_KINDS[subject.kind]}`),
    ...Object.entries(may).map(([power, effect]) => fact(power, effect)),
    ...(Object.keys(may).length === 0 ? [fact("block, stop", dim("ignored, with a note"))] : []),
    ...(honours.length === 0 ? [] : [fact("honours", honours.join(", "))]),
    ...(rewrites.length === 0
      ? []
      : [fact("rewrites", rewrites.map(({ field, how }) => `${field} (${how}d)`).join(", "))]),
    ...Object.entries(conditions).map(([condition, field]) => fact(condition, `tests ${field}`)),
    ...Object.entries(signals).map(([kind, codes]) =>
      fact(kind, codes === null ? "any code" : Object.keys(codes).join(", ")),
    ),
  ];
}

function asJson({ name, spec }: NamedEvent): unknown {
  const { vocabulary, facing, fires, subject, may, honours, rewrites, conditions, signals, merge, sample } = spec;
  const input = inputSchema(spec);
  return {
    name,
    vocabulary,
    facing,
    fires,
    subject,
    may,
    honours,
    rewrites,
    conditions,
    signals,
    merge,
    input,
    sample,
  };
}
