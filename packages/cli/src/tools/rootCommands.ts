import { basename } from "node:path";

/** Quoted text, an operator that begins another command, or other text. */
const TOKEN =
  /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|(?<operator>\|\||&&|[;&|\n(){}])|[^\S\n]+|[^\s'"\\;&|\n(){}]+|['"\\]/g;
const ASSIGNMENT = /^\w+=/;

/** The programs that a shell command starts, as far as its text shows them: `git, npm` for `git pull && npm ci`. */
export function rootCommands(command: string): string {
  const found = new Set<string>();
  let word = "";
  let isFirst = true;
  const endWord = () => {
    if (word === "" || !isFirst) return;
    if (ASSIGNMENT.test(word)) return; // a variable of the command that follows
    found.add(basename(word));
    isFirst = false;
  };
  for (const { 0: token, groups } of command.matchAll(TOKEN)) {
    const isBlank = /^\s+$/.test(token);
    if (groups?.operator === undefined && !isBlank) {
      word += token.replaceAll(/^['"]|['"]$|\\(?=[\s\S])/g, "");
      continue;
    }
    endWord();
    word = "";
    if (groups?.operator !== undefined) isFirst = true;
  }
  endWord();
  return [...found].join(", ");
}
