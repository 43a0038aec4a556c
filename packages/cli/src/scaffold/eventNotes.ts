import type { EventSpec } from "@hookline/engine";
import { baseInput } from "@hookline/engine/program";
import type { z } from "zod";
import type { NamedEvent } from "../project/eventNamed.ts";
import { wrapped } from "../terminal/wrapped.ts";
import { type Schema, shapeOf } from "./shape.ts";

const WIDTH = 110;

/** Describes the input and the answers of a hook on this event, generated from the catalog. */
export function eventNotes({ name, spec }: NamedEvent, { worker }: { readonly worker: boolean }): string[] {
  const { input, answer } = worker ? WORKER : SCRIPT;
  return [
    `${name} fires ${spec.fires}.`,
    "",
    ...input,
    ...fieldLines(baseInput, []),
    ...(spec.vocabulary === "ability" ? [`  event_type: ${JSON.stringify(name)}`] : []),
    ...fieldLines(spec.input, Object.keys(spec.complete?.(spec.sample) ?? {})),
    "",
    ...answer,
    ...answerLines(spec),
    "",
    ...(worker ? WORKER_ENDS : scriptEnds(spec)),
  ].flatMap(broken);
}

const SCRIPT = {
  input: ["Input: one JSON object on standard input. A field with ? may be absent."],
  answer: ["Answer: one JSON object on standard output, or nothing. This event accepts:"],
};
const WORKER = {
  input: [
    'Input: a line {"id":1,"event":"…","input":{…}} per event, and {"cancel":1} when its answer is no longer needed.',
    "Fields of the input (those with ? may be absent):",
  ],
  answer: ['Answer: a line {"id":1,"output":{…}} with the same id; null means no answer. This event accepts:'],
};
const WORKER_ENDS = [
  'To report a failure, write {"id":1,"error":{"message":"…"}}; on_failure in the YAML file decides its effect.',
];

function scriptEnds({ may }: EventSpec): string[] {
  const two = "block" in may ? " 2 blocks, with the reason on standard error;" : "";
  return [
    `Exit code: with 0 the answer counts;${two} any other is a failure of this hook, and on_failure in its YAML file decides its effect.`,
  ];
}

/** The fields as hooks see them, including those that the engine adds. */
function fieldLines(input: z.ZodObject, completed: readonly string[]): string[] {
  const { properties = {}, required = [] } = input.toJSONSchema({ io: "output" });
  const always = [...required, ...completed];
  return Object.entries(properties).map(([name, schema]) => {
    const meaning = typeof schema === "object" && schema.description ? ` (${schema.description})` : "";
    return `  ${name}${always.includes(name) ? "" : "?"}: ${shapeOf(schema)}${meaning}`;
  });
}

function answerLines(spec: EventSpec): string[] {
  const lines = spec.vocabulary === "agent" ? agentAnswers(spec) : abilityAnswers(spec);
  return lines.length === 0 ? ["  nothing: an answer is recorded but has no effect"] : lines;
}

const POWERS: Readonly<Record<string, string>> = {
  block: '{"decision":"deny","reason":"…"}',
  stop: '{"continue":false,"stopReason":"…"}',
  ask: '{"decision":"ask","reason":"…"}',
};

function agentAnswers({ may, honours, rewrites, answer }: EventSpec): string[] {
  const fields = propertiesOf(propertiesOf(answer.toJSONSchema({ io: "input" })).hookSpecificOutput);
  const specific = honours.map((field) => {
    const rewrite = rewrites.find((one) => one.field === field);
    const effect = rewrite ? `: replaces ${rewrite.how === "merge" ? "these parts of it" : "it"}` : "";
    return `  {"hookSpecificOutput":{"${field}":${shapeOf(fields[field] ?? true)}}}${effect}`;
  });
  const powers = Object.entries(may).map(([power, effect]) => `  ${POWERS[power]}: ${effect}`);
  return powers.length + specific.length === 0
    ? []
    : [...powers, ...specific, '  {"systemMessage":"…"}: a note for the model'];
}

function abilityAnswers({ may, signals }: EventSpec): string[] {
  const kinds = Object.entries(signals).flatMap(([kind, codes]) => [
    `  {"hook_signals":[{"kind":"${kind}","code":"…","severity":"info|warning|error","payload":{…}}]}`,
    ...Object.entries(codes ?? {}).map(([code, verdict]) => `    ${code}: ${VERDICTS[verdict](may)}`),
  ]);
  const refusal =
    "block" in may && kinds.every((line) => !line.startsWith("    ")) ? [`  ${POWERS.block}: ${may.block}`] : [];
  return [
    ...kinds,
    ...refusal,
    '  {"logs":["…"]}: lines for the record',
    '  {"error":{"code":"…","message":"…"}}: this hook failed',
  ];
}

const VERDICTS = {
  allow: () => "no objection",
  deny: ({ block }: EventSpec["may"]) => `${block ?? "denied"}; payload.reason says why`,
  ask: ({ ask }: EventSpec["may"]) => `${ask ?? "a person decides"}; payload.reason says why`,
};

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return typeof schema === "object" ? (schema.properties ?? {}) : {};
}

/** Wraps a long line; the continuation of a list item is indented further. */
function broken(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const [first = "", ...more] = wrapped(line.slice(indent.length), WIDTH - indent.length);
  const further = indent === "" ? "" : `${indent}    `;
  return [`${indent}${first}`, ...more.map((rest) => `${further}${rest}`)];
}
