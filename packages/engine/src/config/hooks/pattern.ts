import { createContext, Script } from "node:vm";
import { linearSource } from "./linearSource.ts";

/** How a matcher is tested. Native expressions have a time limit instead. */
export type PatternForm =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "linear"; readonly source: string }
  | { readonly kind: "native"; readonly why: string }
  | { readonly kind: "literal" };

export interface Pattern {
  /** Whether the pattern occurs anywhere in the text. */
  readonly test: (text: string) => boolean;
  readonly testWhole: (text: string) => boolean;
}

export interface PatternOptions {
  readonly ignoreCase: boolean;
  /** If false, an expression that RE2 does not support counts as a match. */
  readonly mayRunNatively: boolean;
}

/** Names are short. A longer one is not tested and counts as a match: a guard then runs once too often. */
const MAX_SUBJECT_CHARS = 1_000;
const MAX_LINEAR_CHARS = 10_000;
const NATIVE_MS = 100;

type LinearEngine = typeof import("re2js").RE2JS;
let linearEngine: LinearEngine | undefined;

/** Loads RE2, which takes longer than the rest of a start; call it only if `needsLinearEngine` says so. */
export async function loadLinearEngine(): Promise<void> {
  linearEngine ??= (await import("re2js")).RE2JS;
}

export function needsLinearEngine(matcher: string | undefined): boolean {
  return !isEverything(matcher) && formOf(matcher).kind === "linear";
}

export function isEverything(matcher: string | undefined): matcher is undefined | "" | "*" {
  return matcher === undefined || matcher.trim() === "" || matcher.trim() === "*";
}

/** The alternatives of a matcher that consists of plain names; undefined for any other matcher. */
export function plainWords(matcher: string | undefined): readonly string[] | undefined {
  return matcher !== undefined && /^[\w|-]+$/.test(matcher) ? matcher.split("|") : undefined;
}

/** Reads a matcher without running it. An invalid expression is literal text. */
export function formOf(matcher: string): PatternForm {
  const words = plainWords(matcher);
  if (words) return { kind: "words", words };
  if (!isRegularExpression(matcher)) return { kind: "literal" };
  if (matcher.length > MAX_LINEAR_CHARS) return { kind: "native", why: `more than ${MAX_LINEAR_CHARS} characters` };
  const read = linearSource(matcher);
  return read.kind === "source" ? { kind: "linear", source: read.source } : { kind: "native", why: read.why };
}

/** Compiles a matcher: linear time if RE2 supports it, otherwise native with a time limit. */
export function compilePattern(matcher: string, options: PatternOptions): Pattern {
  return bounded(compileForm(matcher, formOf(matcher), options));
}

/** Whether an untrusted matcher matches one of these names; an expression that would have to run natively counts as a match. */
export async function hitsAny(matcher: string, names: readonly string[]): Promise<boolean> {
  if (needsLinearEngine(matcher)) await loadLinearEngine();
  const { test } = compilePattern(matcher, { ignoreCase: false, mayRunNatively: false });
  return names.some(test);
}

function compileForm(matcher: string, form: PatternForm, options: PatternOptions): Pattern {
  switch (form.kind) {
    case "words":
      return wordPattern(form.words, options);
    case "literal":
      return wordPattern([matcher], options);
    case "linear":
      return linearPattern(form.source, options) ?? nativePattern(matcher, options);
    case "native":
      return nativePattern(matcher, options);
  }
}

function wordPattern(words: readonly string[], { ignoreCase }: PatternOptions): Pattern {
  const folded = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wanted = words.map(folded);
  return {
    test: (text) => wanted.some((word) => folded(text).includes(word)),
    testWhole: (text) => wanted.includes(folded(text)),
  };
}

/** Undefined if RE2 is not loaded or rejects the expression as too large. */
function linearPattern(source: string, { ignoreCase }: PatternOptions): Pattern | undefined {
  if (!linearEngine) return undefined;
  try {
    const compiled = linearEngine.compile(source, ignoreCase ? linearEngine.CASE_INSENSITIVE : 0);
    return { test: (text) => compiled.test(text), testWhole: (text) => compiled.testExact(text) };
  } catch {
    return undefined;
  }
}

/** An expression that takes too long counts as a match. Only a script in a context can be interrupted. */
function nativePattern(matcher: string, { ignoreCase, mayRunNatively }: PatternOptions): Pattern {
  if (!mayRunNatively) return { test: () => true, testWhole: () => false };
  const flags = ignoreCase ? "i" : "";
  const [anywhere, whole] = [new RegExp(matcher, flags), new RegExp(`^(?:${matcher})$`, flags)];
  return { test: (text) => nativeTest(anywhere, text), testWhole: (text) => nativeTest(whole, text) };
}

let room: { readonly script: Script; readonly context: Record<string, unknown> } | undefined;

function nativeTest(expression: RegExp, text: string): boolean {
  room ??= { script: new Script("expression.test(text)"), context: createContext({}) as Record<string, unknown> };
  Object.assign(room.context, { expression, text });
  try {
    return room.script.runInContext(room.context, { timeout: NATIVE_MS }) === true;
  } catch {
    return true;
  }
}

function bounded({ test, testWhole }: Pattern): Pattern {
  return {
    test: (text) => text.length > MAX_SUBJECT_CHARS || test(text),
    testWhole: (text) => text.length <= MAX_SUBJECT_CHARS && testWhole(text),
  };
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
