import { hooktestSchema } from "../hooktest/hooktestSchema.ts";
import { subjectIn } from "../project/eventInput.ts";
import { exampleAnswer, MARK } from "./exampleAnswer.ts";
import { exampleSubject } from "./exampleSubject.ts";
import type { HookRequest } from "./hookRequest.ts";
import { markedPath } from "./hookTest.ts";
import { schemaComment, yamlText } from "./yamlText.ts";

/** The schema of test files in this version, for editors. */
export function hooktestFileSchema() {
  return hooktestSchema.toJSONSchema({ io: "input" });
}

/** Tests of a new hook as hookline runs it; they pass until its author replaces the rule. */
export function hooktestYaml(request: HookRequest, schemaPath: string): string {
  const { id } = request;
  const head = [schemaComment(schemaPath), `Tests of ${id} as hookline runs it: hookline test`];
  const tests = casesOf(request).map((one) => testOf(one, request));
  return yamlText(head, [
    { key: "hooks", value: [id] },
    { key: "tests", value: tests },
  ]);
}

interface Case {
  readonly name: string;
  /** Fields with dotted names. */
  readonly input: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly expect: Readonly<Record<string, string>>;
}

/** Tests that the event's sample passes and that the hook objects to the mark. */
function casesOf(request: HookRequest): readonly Case[] {
  const { id, event } = request;
  const { spec } = event;
  const subject = exampleSubject(spec, request);
  const own = subjectIn(spec, spec.sample);
  if (own !== undefined && subject === undefined) {
    return [{ name: `the hook does not run for ${own}`, input: {}, outcome: "not-run", expect: { decision: "allow" } }];
  }
  const input = subject === undefined || subject === own ? {} : { [spec.subject?.field ?? ""]: subject };
  const { when, value } = exampleAnswer(id, spec);
  const context = when === "always" ? contextIn(value) : {};
  const passes: Case = {
    name: "the sample passes",
    input,
    outcome: "allow",
    expect: { decision: "allow", ...context },
  };
  if (when !== "marked") return [passes];
  const objects: Case = {
    name: "the hook objects to what its rule looks for",
    input: { ...input, [markedPath(spec).join(".")]: MARK },
    outcome: "block",
    expect: { decision: "block", reason: `${id}: the input contains ${MARK}` },
  };
  return [passes, objects];
}

function contextIn({ hookSpecificOutput }: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const context: unknown = Object(hookSpecificOutput).additionalContext;
  return typeof context === "string" ? { context } : {};
}

function testOf({ name, input, outcome, expect }: Case, { id, event }: HookRequest) {
  return {
    name,
    event: event.name,
    ...(Object.keys(input).length === 0 ? {} : { input }),
    expect: { ...expect, hooks: { [id]: outcome } },
  };
}
