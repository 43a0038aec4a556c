#!/bin/sh
# Nothing is written, committed or pushed on main. Any other exit code than 0 and 2 is a failure, and blocks as well.
set -eu
export LC_ALL=C
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # the folder decides, not what the agent was started with

is_protected() {
  case "$1" in main | master | release/*) return 0 ;; *) return 1 ;; esac
}
SPACE='[[:space:]]'
BRANCH="($SPACE|:|\\+|heads/)(main|master|release/[^;[:space:]]*)($SPACE|[;&|:]|\$)" # the same, as a word of a command

block() { echo "$1 Create a branch first, in a call of its own: git switch -c <name>" >&2 && exit 2; }

# The branch that is checked out at a path which need not exist yet; nothing where there is none.
branch_at() {
  folder=$1
  while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
  code=0
  said=$(git -C "$folder" symbolic-ref --quiet --short HEAD 2>&1) || code=$?
  case "$code $said" in
    "0 "* | "1 "*) printf '%s\n' "$said" ;;
    *"not a git repository"*) ;;
    *) printf '%s\n' "$said" >&2 && return 1 ;; # it may be main for all we know
  esac
}

input=$(cat)
field() { printf '%s' "$input" | jq -r "$1 // empty"; }
base=$(field .cwd)
command=$(field .tool_input.command)

if [ -z "$command" ]; then
  path=$(field .tool_input.file_path)
  case "$path" in /*) ;; *) path=$base/$path ;; esac
  # The file tools take `..` out first and follow links then, which may lead to a folder with another branch.
  path=$(printf '%s' "$path" | sed -E -e 's#/(\./)+#/#g' -e ':again' -e 's#/[^/]+/\.\.(/|$)#/#' -e 'tagain')
  real=$(readlink -f -- "$path") || real=$path
  branch=$(branch_at "$real")
  ! is_protected "$branch" || block "Files are not written on $branch."
  exit 0
fi

# Without quotes and backslashes, which hide nothing from a shell, and without redirections that write no file.
plain=$(printf '%s' "$command" | tr -d "\"'\\\\" | tr '\n' ';' | sed -E "s#[0-9&]*>+$SPACE*/dev/null##g; s#[0-9]*>&[0-9-]##g")
says() { printf '%s\n' "$plain" | grep -Eq -- "$1"; }

git_writes="git[^;&|]*$SPACE(commit|merge|rebase|cherry-pick|revert|reset|am|apply|pull|push|rm|mv|restore|clean|update-ref)($SPACE|;|\$)"
writes=">|(^|[;&|(]|$SPACE)(tee|mv|cp|rm|ln|touch|patch|truncate|dd)($SPACE|;|\$)|(sed|perl)$SPACE+-[a-zA-Z]*i"

! says "git[^;&|]*$SPACE(push|update-ref|branch)[^;&|]*$BRANCH|git[^;&|]*push.*--(all|mirror)" ||
  block "This would change a protected branch."
says "$git_writes|$writes" || exit 0
! says "git[^;&|]*$SPACE(checkout|switch)[^;&|]*$BRANCH" || block "This changes to a protected branch and writes there."

# The folder of the call, and every folder that the command changes to.
dir=$(field .tool_input.dir_path)
case "$dir" in /*) base=$dir ;; ?*) base=$base/$dir ;; esac
printf '%s\n' "$plain" | grep -Eo -- "(cd|-C)$SPACE+[^;&|[:space:]]+" | sed -E "s/^(cd|-C)$SPACE+//" | {
  while read -r folder; do
    case "$folder" in /*) ;; *) folder=$base/$folder ;; esac
    branch=$(branch_at "$folder")
    ! is_protected "$branch" || block "Commands do not write on $branch."
  done
}
branch=$(branch_at "$base")
! is_protected "$branch" || block "Commands do not write on $branch."
