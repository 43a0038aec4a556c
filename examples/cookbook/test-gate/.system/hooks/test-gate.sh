#!/bin/sh
# Runs the command it is given, which tests the project. While that fails, the turn does not end: exit code 2 blocks,
# and the model reads what stands on standard error.

# Kept in the user's folder: what lies in the project, the agent could write.
state=${HOOKLINE_HOOK_STATE:?}
passed=$state/tests-passed

# The files of the project. With git, without those that it ignores: tests write such files themselves.
files() {
  set -- --cached --others --exclude-standard -- . ':!.hookline'
  if git ls-files "$@" 2> /dev/null | grep -q .; then
    git ls-files -z "$@"
  else
    find . -type d \( -name .git -o -name node_modules -o -path ./.hookline \) -prune -o -type f -print0
  fi
}

# What they contain, taken before the tests start, so that what is changed while they run counts as untested.
now=$({ echo "$*" && files | xargs -0 cksum -- 2> /dev/null | sort; } | cksum) || exit 1

# A turn that leaves everything as it was when the tests passed is not tested again.
[ "$now" != "$(cat "$passed" 2> /dev/null)" ] || exit 0

output=$(mktemp "$state/tests.XXXXXX") || exit 1
trap 'rm -f "$output"' EXIT

if NO_COLOR=1 "$@" < /dev/null > "$output" 2>&1; then
  echo "$now" > "$passed"
else
  echo "The work is not done: \`$*\` fails with exit code $?. Its last lines:"
  tail -n 40 "$output" | tail -c 6000
  exit 2
fi >&2
