import { readFile } from "node:fs/promises";
import { type Fields, type Located, type Place, type Problem, parseYaml, plain } from "@hookline/engine/program";
import { eventNamed, type NamedEvent } from "../project/eventNamed.ts";
import { setIn } from "./fields.ts";
import { type Expected, type HooktestFile, hooktestSchema } from "./hooktestSchema.ts";
import { inputKeyProblems } from "./inputKeys.ts";
import { placeOf } from "./placeOf.ts";
import { shapeProblems, wrong } from "./shapeProblems.ts";

export interface TestCase {
  readonly name: string;
  readonly place: Place;
  readonly event: NamedEvent;
  /** The complete input: the sample with the fields of the case. */
  readonly input: Fields;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly expect: Expected;
}

export interface Hooktest {
  /** The hooks to run; undefined: all. */
  readonly hooks: readonly string[] | undefined;
  readonly tests: readonly TestCase[];
  /** Locates problems that are found later. */
  readonly root: Located;
}

/** A file with any error is rejected as a whole: a test that was not understood cannot pass. */
export type ReadHooktest =
  | { readonly kind: "read"; readonly file: string; readonly hooktest: Hooktest }
  | { readonly kind: "wrong"; readonly file: string; readonly problems: readonly Problem[] };

export async function readHooktest(file: string): Promise<ReadHooktest> {
  try {
    return understand(file, await readFile(file, "utf8"));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return { kind: "wrong", file, problems: [wrong({ file }, `The file cannot be read: ${error.message}.`)] };
  }
}

function understand(file: string, text: string): ReadHooktest {
  const parsed = parseYaml(file, text, "set of tests");
  if (parsed.kind === "broken") {
    const { where, what } = parsed.problem;
    return { kind: "wrong", file, problems: [wrong(where, what)] };
  }
  const { root } = parsed;
  const shape = hooktestSchema.safeParse(plain(root), { reportInput: true });
  const problems = shapeProblems(root, shape.error?.issues ?? []);
  if (!shape.success || problems.length > 0) return { kind: "wrong", file, problems };
  const tests = shape.data.tests.map((test, index) => caseOf(test, placeOf(root, ["tests", index])));
  const given = shape.data.tests.map(({ input = {} }) => input);
  const inputs = tests.flatMap(({ event, input }, index) => [
    ...inputKeyProblems(event, given[index] ?? {}, { root, index }),
    ...inputProblems(event, input, { root, index }),
  ]);
  if (inputs.length > 0) return { kind: "wrong", file, problems: inputs };
  return { kind: "read", file, hooktest: { hooks: shape.data.hooks, tests, root } };
}

function caseOf(test: HooktestFile["tests"][number], place: Place): TestCase {
  const { name, input = {}, files = {}, env = {}, expect } = test;
  const event = eventNamed(test.event);
  return { name, place, event, input: setIn(event.spec.sample, input), files, env, expect };
}

function inputProblems(
  { name, spec }: NamedEvent,
  input: Fields,
  { root, index }: { readonly root: Located; readonly index: number },
): readonly Problem[] {
  const issues = spec.input.safeParse(input).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    const field = path.join(".") || "input";
    return wrong(
      placeOf(root, ["tests", index, "input", ...path]),
      `The input of ${name} is invalid: ${field}: ${message}.`,
    );
  });
}
