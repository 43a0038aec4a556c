import { quoteForShell } from "./shellWords.ts";

type Values = Readonly<Record<string, string>>;

/** What the scan accepts outside quotes, and inside double quotes. Anything else ends it: only a shell can parse on. */
const PLAIN =
  /'[^']*'|\\[\s\S]|(?<variable>\$(?:\{\w+\}|\w+))|(?<quote>")|(?<home>(?<![^\s;&|(=:])~(?=\/))|<(?!<)|[^'"\\$`~<]+|~/y;
const DOUBLE = /\\[\s\S]|(?<variable>\$(?:\{\w+\}|\w+))|(?<quote>")|[^"\\$`]+/y;

/**
 * Fills in the variables that have a value, each as one piece of a word, whatever it contains. The shell would split an unquoted
 * one at blanks, which is never meant. From a nested command or a here-document on, the text stays unchanged.
 */
export function withValues(text: string, values: Values): string {
  let filled = "";
  let isDouble = false;
  for (let at = 0; at < text.length; ) {
    const pattern = isDouble ? DOUBLE : PLAIN;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return filled + text.slice(at);
    const { variable, quote, home } = found.groups ?? {};
    const name = home === undefined ? variable?.replace(/[${}]/g, "") : "HOME";
    const value = name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
    filled += value === undefined ? found[0] : isDouble ? escaped(value) : quoteForShell(value);
    if (quote !== undefined) isDouble = !isDouble;
    at = pattern.lastIndex;
  }
  return filled;
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"$`]/g, "\\$&");
}
