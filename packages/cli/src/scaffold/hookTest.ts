import type { EventSpec } from "@hookline/engine";
import { type Fields, isFields } from "@hookline/engine/program";
import type { NamedEvent } from "../project/eventNamed.ts";
import { exampleAnswer, MARK } from "./exampleAnswer.ts";
import { type TestCase, testScript } from "./testScript.ts";

interface Tested {
  readonly id: string;
  readonly event: NamedEvent;
  readonly worker: boolean;
  readonly path: string;
  readonly command: string;
}

/** Tests that the event's sample passes and that the hook objects to the mark. */
export function hookTest({ id, event, worker, path, command }: Tested): string {
  const { when, sign } = exampleAnswer(id, event.spec);
  const nothing = worker ? '"output":null' : "";
  const input = (fields: Fields) => {
    const whole = { ...baseOf(event), ...fields };
    return worker ? { id: 1, event: event.name, input: whole } : whole;
  };
  const { sample } = event.spec;
  const cases: TestCase[] = [
    {
      name: "sample",
      shows: when === "always" ? "the hook answers the sample" : "the sample passes",
      input: input(sample),
      answer: when === "always" ? sign : nothing,
    },
  ];
  if (when === "marked") {
    cases.push({
      name: "marked",
      shows: "the hook objects to what its rule looks for",
      input: input(marked(event.spec)),
      answer: sign,
    });
  }
  return testScript({ path, command, variables: worker ? {} : { HOOKLINE_EVENT: event.name }, cases });
}

function baseOf({ name, spec }: NamedEvent): Fields {
  return {
    session_id: "test",
    transcript_path: "",
    cwd: ".",
    hook_event_name: name,
    timestamp: "2026-01-01T00:00:00.000Z",
    ...(spec.vocabulary === "ability" ? { event_type: name } : {}),
  };
}

/** The sample with the mark in it. */
export function marked(spec: EventSpec): Fields {
  const changed = withMark(spec.sample, markedPath(spec));
  return isFields(changed) ? changed : spec.sample;
}

/** The first text of the sample that can contain the mark: not the name of a tool, nor a value of a fixed list. */
export function markedPath({ sample, subject, input }: EventSpec): readonly string[] {
  const path = textsIn(sample).find(
    (one) => one.join(".") !== subject?.field && input.safeParse(withMark(sample, one)).success,
  );
  if (!path) throw new Error("The sample has no text that can be changed");
  return path;
}

function textsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === "string") return [path];
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

function withMark(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return MARK;
  return isFields(value) ? { ...value, [key]: withMark(value[key], rest) } : value;
}
