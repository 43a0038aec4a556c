import type { Completes } from "../terminal/command.ts";
import { type Completed, completesOf, fixedWords, longFlag, optionsOf } from "./words.ts";

/** `compadd` does not expand words, so a hook's name is never run as shell code. */
export function zsh(commands: readonly Completed[]): string {
  return `#compdef hookline
_hookline() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join("\n")}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(branch).join("\n")}
  esac
}

if [[ "$funcstack[1]" == _hookline ]]; then _hookline "$@"; else compdef _hookline hookline; fi
`;
}

function branch(command: Completed): string {
  const flags = optionsOf(command).map((option) => quoted(`${longFlag(option)}:${option.description}`));
  return `  ${command.name})
    if [[ "$PREFIX" == -* ]]; then
      local -a flags=(${flags.join(" ")})
      _describe option flags
    else
      ${source(completesOf(command))}
    fi
    ;;`;
}

function source(completes: Completes): string {
  if (completes === "hooks") return `compadd -- "\${(@f)$(hookline __complete hooks 2>/dev/null)}"`;
  if (completes === "files") return "_files";
  if (completes === "folders") return "_files -/";
  const words = fixedWords(completes);
  return words.length === 0 ? ":" : `(( CURRENT == 3 )) && compadd -- ${words.join(" ")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
