#!/bin/sh
# Formats a file that the agent has edited, and tells the model: the text of its next `replace` has to match the file.

input=$(cat)
field() { printf '%s' "$input" | jq -r "$1 // empty"; }

[ -z "$(field .tool_response.error.message)" ] || exit 0
path=$(field .tool_input.file_path)
case "$path" in /*) ;; *) path=$(field .cwd)/$path ;; esac # absolute, so that no name is taken for an option
[ -f "$path" ] || exit 0

# Each formatter reads standard input and writes standard output. Put yours here.
formatted() {
  case "$path" in
    *.json) jq . ;;
    *.py) ruff format --stdin-filename "$path" - ;;
    *.go) gofmt ;;
    *.js | *.mjs | *.ts | *.tsx | *.css | *.md) node_modules/.bin/prettier --stdin-filepath "$path" ;;
    *) cat ;;
  esac < "$path"
}

tell() { jq -n --arg text "$1" '{ hookSpecificOutput: { additionalContext: $text } }'; }
squeezed() { tr -d '[:space:]' < "$1"; }

draft=$(mktemp -d) || exit 1
trap 'rm -rf "$draft"' EXIT
formatted > "$draft/text" 2> "$draft/errors"
status=$?

case "$path" in
  # jq also rewrites numbers and escapes, which may be intended: leave such a file as it is.
  *.json) [ $status -ne 0 ] || [ "$(squeezed "$path")" = "$(squeezed "$draft/text")" ] || exit 0 ;;
esac

if [ $status -eq 127 ]; then
  echo "no formatter for ${path##*/} is installed" >&2
elif [ $status -ne 0 ]; then
  tell "The formatter cannot read ${path##*/}: $(head -n 5 "$draft/errors")"
elif ! cmp -s "$draft/text" "$path"; then
  cat "$draft/text" > "$path" # not mv: the file keeps its mode, and a link stays one
  tell "${path##*/} was formatted after your edit. Read it again before you edit it."
fi
