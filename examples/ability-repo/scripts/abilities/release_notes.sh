#!/bin/sh
# Puts the notes in changes/ together. An ability may answer in plain text.

title=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).title ?? "Changes"')
printf '# %s\n\n' "$title"
for note in changes/*.md; do
  [ -f "$note" ] && printf -- '- %s\n' "$(cat "$note")"
done
