import type { Completes } from "../terminal/command.ts";
import { type Completed, completesOf, fixedWords, longFlag, optionsOf } from "./words.ts";

// Hook names come from repositories. `compgen -W` would expand them, including commands in them, so compare them as text and
// quote them for the command line.
export function bash(commands: readonly Completed[]): string {
  return `# hookline completion for bash
_hookline_from() {
  local word
  while IFS= read -r word; do
    [[ "$word" == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done
}

_hookline() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    _hookline_from <<'WORDS'
${[...commands.map(({ name }) => name), "help", "--help", "--version"].join("\n")}
WORDS
    return
  fi
  case "$command" in
${commands.map(branch).join("\n")}
  esac
}

complete -F _hookline hookline
`;
}

function branch(command: Completed): string {
  const flags = optionsOf(command).map(longFlag);
  return `  ${command.name})
    if [[ "$current" == -* ]]; then
      _hookline_from <<'WORDS'
${flags.join("\n")}
WORDS
    else
      ${source(completesOf(command))}
    fi
    ;;`;
}

function source(completes: Completes): string {
  if (completes === "hooks") return `_hookline_from < <(hookline __complete hooks 2>/dev/null)`;
  if (completes === "files") return `compopt -o default; COMPREPLY=()`;
  if (completes === "folders") return `compopt -o dirnames; COMPREPLY=()`;
  const words = fixedWords(completes);
  if (words.length === 0) return ":";
  return `(( COMP_CWORD == 2 )) && _hookline_from <<'WORDS'
${words.join("\n")}
WORDS`;
}
