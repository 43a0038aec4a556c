import { join, normalize } from "node:path";
import type { Problem } from "@hookline/engine/program";
import type { FiredHook } from "../fire/firedHook.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import { writeCaseFile } from "./caseFiles.ts";
import { compare } from "./compare.ts";
import { loadableFault } from "./loadableFiles.ts";
import type { Mismatch } from "./mismatch.ts";
import { nameProblems } from "./nameProblems.ts";
import { keyPlaceOf } from "./placeOf.ts";
import type { Hooktest, TestCase } from "./readHooktest.ts";
import { wrong } from "./shapeProblems.ts";
import { type Site, TestHooks } from "./testHooks.ts";

export interface CaseResult {
  readonly test: TestCase;
  /** Empty if the case passed. */
  readonly mismatches: readonly Mismatch[];
  readonly hooks: readonly FiredHook[];
  readonly durationMs: number;
}

/** The result of a file. If it has problems, no case ran. */
export interface FileResult {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly cases: readonly CaseResult[];
}

/** Runs the cases of a file in sequence, because hooks may keep state. */
export async function runHooktest(
  file: string,
  hooktest: Hooktest,
  { signal, ...site }: Site & { readonly signal: AbortSignal },
): Promise<FileResult> {
  const { root } = site;
  const hooks = await TestHooks.open(site, hooktest.hooks, hooktest.tests);
  try {
    const problems = [...nameProblems(hooktest, hooks.declared), ...codeProblems(hooktest, hooks, root)];
    if (problems.length > 0) return { file, problems, cases: [] };
    const cases: CaseResult[] = [];
    for (const test of hooktest.tests) {
      if (signal.aborted) throw new Interrupted();
      cases.push(await runCase(test, hooks, { root, signal }));
    }
    return { file, problems: [], cases };
  } finally {
    await hooks.dispose();
  }
}

/** Finds files that could start code: a test file is not trusted. */
function codeProblems({ tests, root: located }: Hooktest, hooks: TestHooks, root: string): readonly Problem[] {
  const written = tests.map(({ files }) => Object.keys(files).map((path) => normalize(path)));
  const site = { root, hooks: hooks.declared, paths: new Set(written.flat()) };
  return tests.flatMap(({ files }, index) =>
    Object.keys(files).flatMap((path) => {
      const isOwn = hooks.isCode(join(root, path));
      const fault = isOwn ? "declares or runs hooks" : loadableFault(normalize(path), site);
      if (fault === undefined) return [];
      return [
        wrong(keyPlaceOf(located, ["tests", index, "files", path]), `"${path}" ${fault}; a test cannot write it.`),
      ];
    }),
  );
}

async function runCase(
  test: TestCase,
  hooks: TestHooks,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<CaseResult> {
  const startedAt = performance.now();
  const unwritten = Object.entries(test.files).flatMap(([path, text]): Mismatch[] => {
    const what = writeCaseFile(root, path, text);
    return what === undefined ? [] : [{ kind: "fault", field: `files.${path}`, what }];
  });
  if (unwritten.length > 0) {
    return { test, mismatches: unwritten, hooks: [], durationMs: performance.now() - startedAt };
  }
  const fired = await hooks.fire(test, signal);
  const mismatches = compare(test.expect, { fired, input: test.input, root });
  return { test, mismatches, hooks: fired.hooks, durationMs: performance.now() - startedAt };
}
