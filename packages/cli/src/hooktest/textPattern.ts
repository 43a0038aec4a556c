import { createContext, runInContext } from "node:vm";

/** A pattern for a text: a part of it or a regular expression. */
export type TextPattern =
  | { readonly kind: "contains"; readonly text: string }
  | { readonly kind: "matches"; readonly expression: RegExp };

const PATIENCE_MS = 2_000;

/** Text between slashes is a regular expression. Throws a SyntaxError if it is invalid. */
export function readPattern(text: string): TextPattern {
  const expression = /^\/(.+)\/$/s.exec(text)?.[1];
  return expression === undefined
    ? { kind: "contains", text }
    : { kind: "matches", expression: new RegExp(expression) };
}

/** A regular expression that exceeds its time does not match. It runs in a VM context, because only there can it be interrupted. */
export function isIn(pattern: TextPattern, text: string): boolean {
  if (pattern.kind === "contains") return text.includes(pattern.text);
  const room = createContext({ expression: pattern.expression, text });
  try {
    return runInContext("expression.test(text)", room, { timeout: PATIENCE_MS }) === true;
  } catch {
    return false;
  }
}
