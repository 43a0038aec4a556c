#!/bin/sh
# Runs the command it is given, which tests the project. While that fails, the turn does not end: exit code 2 blocks,
# and the model reads what stands on standard error.

state=.hookline/state
passed=$state/tests-passed
mkdir -p "$state" || exit 1

# A turn that has changed nothing since the tests passed is not tested again. A folder is newer when a file in it was
# made or removed.
if [ -f "$passed" ]; then
  newer=$(find . -type d \( -name .git -o -name node_modules -o -path ./.hookline \) -prune -o -newer "$passed" -print)
  [ -n "$newer" ] || exit 0
fi

# The mark is made before the tests start, so that what is changed while they run counts as untested.
mark=$(mktemp "$state/tests.XXXXXX") || exit 1
output=$(mktemp "$state/tests.XXXXXX") || exit 1
trap 'rm -f "$mark" "$output"' EXIT

if NO_COLOR=1 "$@" < /dev/null > "$output" 2>&1; then
  mv "$mark" "$passed"
else
  echo "The work is not done: \`$*\` fails with exit code $?. Its last lines:"
  tail -n 40 "$output" | tail -c 6000
  exit 2
fi >&2
