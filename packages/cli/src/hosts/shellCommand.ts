/** A command line for a POSIX shell, and for fish: each word means itself. */
export function shellCommand(words: readonly string[]): string {
  return words.map(quotedWord).join(" ");
}

function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The first word of a command line that `shellCommand` may have written. */
export function firstWord(command: string): string {
  const quoted = /^(?:'[^']*'|\\'|[^\s'\\])+/.exec(command.trimStart())?.[0] ?? "";
  return quoted.replaceAll(
    /'([^']*)'|\\(.)/g,
    (_all, inner: string | undefined, escaped: string | undefined) => inner ?? escaped ?? "",
  );
}
