/** Words that are shell grammar at the start of a command: POSIX and bash. */
export const KEYWORDS = namesIn(`
  if then else elif fi case esac for select while until do done in function time coproc { } ! [[ ]]
`);

/** Shell builtins; a program of the same name would be a different one: POSIX, bash and dash. */
export const BUILTINS = namesIn(`
  . : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo
  enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile newgrp popd printf
  pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask
  unalias unset wait
`);

function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
