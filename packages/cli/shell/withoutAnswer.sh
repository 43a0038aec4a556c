# What a client in shell does without an answer; `hookline install` writes the lines above.
# Names begin with HOOKLINE_ because the daemon drops such variables: no hook sees them.

# Functions that came with the environment must not stand in for commands.
unset -f command echo exec exit false hash kill printf pwd read return set shift sleep test trap true type umask wait '[' 2>/dev/null
umask 077
HOOKLINE_HOST=$1
HOOKLINE_EVENT=$2
HOOKLINE_ASKED=no
HOOKLINE_TAB=$(printf '\t')
HOOKLINE_NEWLINE='
'
# A newline at the end of the folder's name must not get lost.
HOOKLINE_CWD=$(pwd -P && echo .)
HOOKLINE_CWD=${HOOKLINE_CWD%??}

# Whether only this user may write it.
is_own() {
  [ -O "$1" ] && [ ! -L "$1" ] || return 1
  case $("$HOOKLINE_LS" -ld "$1") in ?????-??-*) return 0 ;; esac
  return 1
}

# The daemon's file: lines of event, tab, folder. If in doubt, the call must not pass.
is_closed() {
  is_own "$HOOKLINE_RUN" && is_own "$HOOKLINE_RUN/closed" && [ -f "$HOOKLINE_RUN/closed" ] || return 0
  # They are escaped in the file.
  case $HOOKLINE_CWD in *\\* | *"$HOOKLINE_TAB"* | *"$HOOKLINE_NEWLINE"*) return 0 ;; esac
  HOOKLINE_FOUND=1
  while IFS= read -r HOOKLINE_LINE; do
    case $HOOKLINE_LINE in
      *"$HOOKLINE_TAB"*"$HOOKLINE_TAB"* | *"$HOOKLINE_TAB"*//* | */../* | */./* | */.. | */.) return 0 ;;
      *"$HOOKLINE_TAB"/*) ;;
      *) return 0 ;;
    esac
    case ${HOOKLINE_LINE%%"$HOOKLINE_TAB"*} in
      '' | *[!A-Za-z0-9_]*) return 0 ;;
      "$HOOKLINE_OURS") ;;
      *) continue ;;
    esac
    HOOKLINE_FOLDER=${HOOKLINE_LINE#*"$HOOKLINE_TAB"}
    case $HOOKLINE_CWD/ in "${HOOKLINE_FOLDER%/}"/*) HOOKLINE_FOUND=0 ;; esac
  done <"$HOOKLINE_RUN/closed"
  # The last line has no end: the file was cut off.
  [ -z "$HOOKLINE_LINE" ] || return 0
  return "$HOOKLINE_FOUND"
}

# Leaves a line for the journal.
note() {
  [ -L "$HOOKLINE_RUN/missed" ] && return
  [ -e "$HOOKLINE_RUN/missed" ] && { [ -f "$HOOKLINE_RUN/missed" ] && is_own "$HOOKLINE_RUN/missed" || return; }
  [ "$("$HOOKLINE_WC" -c 2>/dev/null <"$HOOKLINE_RUN/missed" || echo 0)" -lt 1000000 ] || return
  HOOKLINE_FIELDS=$(printf '%s000\t%s\t%s\t%s\t%s\t%s' "$("$HOOKLINE_DATE" +%s)" "$HOOKLINE_HOST" "$HOOKLINE_EVENT" "$1" "$2" "$HOOKLINE_CWD" | "$HOOKLINE_TR" '\n' ' ')
  printf '%s\n' "$HOOKLINE_FIELDS" >>"$HOOKLINE_RUN/missed"
} 2>/dev/null

# The agent's own "no" where a guard would have been asked, or where a person was being asked; else nothing.
end_without_answer() {
  own_no
  if [ -n "$HOOKLINE_OURS" ] && { [ "$HOOKLINE_ASKED" = yes ] || is_closed; }; then
    note refused "$1"
    printf '%s' "$HOOKLINE_NO_STDOUT"
    printf '%s' "$HOOKLINE_NO_STDERR" >&2
    exit "$HOOKLINE_NO_EXIT"
  fi
  note passed "$1"
  exit 0
}
