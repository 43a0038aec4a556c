#!/bin/sh
# Adds context to the result, if the file is one that people look at.
if grep -q '"file_path":"requests.md"'; then
  echo '{ "hookSpecificOutput": { "additionalContext": "The support team reads requests.md every morning." } }'
fi
