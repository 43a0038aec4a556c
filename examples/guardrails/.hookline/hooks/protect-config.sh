#!/bin/sh
# Keeps the JSON files of any config/ folder from being edited.
# Exit code 2 blocks the call; the model is told what stands on standard error.

path=$(sed -n 's/.*"file_path":"\([^"]*\)".*/\1/p')

case "$path" in
  config/*.json | */config/*.json)
    echo "$path is changed by people only. Describe the change you need instead." >&2
    exit 2
    ;;
esac
