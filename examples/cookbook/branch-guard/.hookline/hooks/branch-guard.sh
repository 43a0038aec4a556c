#!/bin/sh
# Nothing is written, committed or pushed on main. Any other exit code than 0 and 2 is a failure, and blocks as well.
set -euf
export LC_ALL=C
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # the folder decides, not what the agent was started with

is_protected() {
  case "$1" in main | master | release/*) return 0 ;; *) return 1 ;; esac
}
NAME='(refs/)?(heads/)?(main|master|release/[^ :]*)' # the same, in a command

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

# A command beside it does not make a write into something else: a tool takes no notice of arguments it does not know.
path=$(field .tool_input.file_path)
if [ -n "$path" ] && [ "$(field .tool_name)" != run_shell_command ]; then
  case "$path" in /*) ;; *) path=$base/$path ;; esac
  # The file tools take `..` out first and follow links then, which may lead to a folder with another branch.
  path=$(printf '%s' "$path" | sed -E -e 's#/(\./)+#/#g' -e ':again' -e 's#/[^/]+/\.\.(/|$)#/#' -e 'tagain')
  real=$(readlink -f -- "$path") || real=$path
  branch=$(branch_at "$real")
  ! is_protected "$branch" || block "Files are not written on $branch."
fi

# The command in one line, spaces around every word and ` ; ` between commands: without quotes, backslashes and broken lines,
# which hide nothing from a shell, and without redirections that write no file. To check out a branch is to switch to it.
END='([ ;&|)]|$)'
plain=$(field '.tool_input.command // "" | split("\\\n") | join("")' | tr -d "\"'\\\\" | tr '\n\t' '; ' | sed -E "
  s#[0-9&]*>+ */dev/null$END#\1#g; s#[0-9]*>&[0-9-]$END#\1#g
  s#[;&|()\`]# ; #g; s#>+# > #g; s#[<{},]# #g; s#.*# & ; #; s# +# #g
  s# checkout (-b [^ ;]+( [^ ;]+)?|[A-Za-z0-9_/][A-Za-z0-9_/-]*) ;# switch \1 ;#g")
says() { printf '%s\n' "$plain" | grep -Eq -- "$1"; }

GIT='[ /]git( -[^;]*)?' # with the options that may stand before what it is told to do
BRANCH="[ :+]$NAME[ :]"
for change in "(push|update-ref|symbolic-ref|branch)( [^;]*)?$BRANCH" "push [^;]*(--all|--mirror|--branches|[*])" \
  "(fetch|pull) [^;]*:$NAME " "(checkout|switch)( [^;]*)? (-[a-zA-Z]*[BC] ?|--force-create[ =])$NAME "; do
  ! says "$GIT $change" || block "This would change a protected branch."
done

git_writes="commit|merge|rebase|cherry-pick|revert|reset|am|apply|pull|push|rm|mv|restore|checkout|clean|stash|update-ref"
writes=">|[ /](tee|mv|cp|rm|ln|touch|unlink|patch|truncate|dd) |[ /](sed|perl)( [^;]*)? (-[a-zA-Z0-9]*i|--in-place)"
says "$GIT ($git_writes) |$writes" || exit 0
! says "$GIT (checkout|switch|worktree)( [^;]*)?$BRANCH" || block "This changes to a protected branch and writes there."

# Where it may write: in the folder of the call, and wherever a change of folder leads, after any of those before it.
dir=$(field .tool_input.dir_path)
case "$dir" in /*) base=$dir ;; ?*) base=$base/$dir ;; esac
CHANGE=' (cd|pushd|-C|--chdir|--git-dir|--work-tree|GIT_DIR|GIT_WORK_TREE)'
steps=$(printf '%s\n' "$plain" | grep -Eo -- "$CHANGE([ =]-[^ ]*)*[ =][^ ;]+" | sed 's/.*[ =]//')
[ "$(printf '%s' "$steps" | grep -c '')" -le 5 ] || block "This changes its folder too often to be followed."
IFS='
'
places=$base
for step in $steps; do
  case "$step" in "~"*) step=$HOME${step#?} ;; "\$HOME"*) step=$HOME${step#?HOME} ;; esac
  for place in $places; do
    case "$step" in /*) place= ;; esac
    places=$places$IFS$place/$step
  done
done
for place in $(printf '%s\n' "$places" | sort -u); do
  branch=$(branch_at "$place")
  ! is_protected "$branch" || block "Commands do not write on $branch."
done
