#!/bin/sh
# Keeps every file called production.json from being edited.
# Exit code 2 blocks the call; the model is told what stands on standard error.

path=$(sed -n 's/.*"file_path":"\([^"]*\)".*/\1/p')

case "$path" in
  production.json | */production.json)
    echo "$path is changed by people only. Change the defaults in src/ instead." >&2
    exit 2
    ;;
esac
