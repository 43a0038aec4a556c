# hookline-hook <host> <event> --deadline <ms> --ask-deadline <ms> [--trust-project]
#
# The client for machines without the native one: it hands the call of an agent to the daemon with curl, and prints the answer.
# `hookline install` writes the lines above. Names begin with HOOKLINE_ because the daemon drops such variables: no hook sees them.

# Functions that came with the environment must not stand in for commands.
unset -f command echo exit false hash kill printf pwd read return set shift sleep test trap true type umask wait '[' 2>/dev/null
umask 077
HOOKLINE_HOST=$1
HOOKLINE_EVENT=$2
HOOKLINE_TRUST=0
HOOKLINE_ASKED=no
HOOKLINE_DEADLINE=''
HOOKLINE_ASK_DEADLINE=''
HOOKLINE_BEGUN=$("$HOOKLINE_DATE" +%s)
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

is_ms() {
  case $1 in '' | *[!0-9]* | ?????????*) return 1 ;; esac
  [ "$1" -le 86400000 ]
}

shift 2 2>/dev/null
while [ $# -gt 0 ]; do
  case $1 in
    --deadline) HOOKLINE_DEADLINE=$2 ;;
    --ask-deadline) HOOKLINE_ASK_DEADLINE=$2 ;;
    --trust-project)
      HOOKLINE_TRUST=1
      shift
      continue
      ;;
    *) end_without_answer 'the command line has an option that this client does not know' ;;
  esac
  shift 2 2>/dev/null || shift
done
is_ms "$HOOKLINE_DEADLINE" && is_ms "$HOOKLINE_ASK_DEADLINE" ||
  end_without_answer 'the command line has no valid --deadline and --ask-deadline in milliseconds'
[ "$HOOKLINE_ASK_DEADLINE" -ge "$HOOKLINE_DEADLINE" ] || HOOKLINE_ASK_DEADLINE=$HOOKLINE_DEADLINE
case $HOOKLINE_CWD in /*) ;; *) end_without_answer 'the working folder has no path' ;; esac
is_own "$HOOKLINE_RUN" || end_without_answer 'the folder `run` is missing or not ours'

HOOKLINE_WORK=$("$HOOKLINE_MKTEMP" -d "$HOOKLINE_RUN/call.XXXXXXXX" 2>/dev/null) ||
  end_without_answer 'no folder for the answer can be made'
trap '"$HOOKLINE_RM" -rf "$HOOKLINE_WORK"' EXIT
trap 'exit 143' HUP INT TERM
HOOKLINE_SOCKET=$HOOKLINE_RUN/daemon.sock
[ ! -f "$HOOKLINE_RUN/socket" ] || ! is_own "$HOOKLINE_RUN/socket" || IFS= read -r HOOKLINE_SOCKET <"$HOOKLINE_RUN/socket"

# Sets HOOKLINE_LEFT, in seconds; at least one millisecond, since 0 would mean for ever. The clock has whole seconds.
left_of() {
  HOOKLINE_LEFT_MS=$(($1 - 1000 * ($("$HOOKLINE_DATE" +%s) - HOOKLINE_BEGUN)))
  [ "$HOOKLINE_LEFT_MS" -gt 0 ] && [ "$HOOKLINE_LEFT_MS" -le "$1" ] || return 1
  HOOKLINE_LEFT=$(printf '%d.%03d' $((HOOKLINE_LEFT_MS / 1000)) $((HOOKLINE_LEFT_MS % 1000)))
}

# -q: without the configuration of the user or of a repository.
fetch() {
  "$HOOKLINE_CURL" -q --silent --noproxy '*' --unix-socket "$HOOKLINE_SOCKET" --max-time "$HOOKLINE_LEFT" \
    --dump-header "$HOOKLINE_WORK/headers" --output "$HOOKLINE_WORK/body" "$@" 2>/dev/null
}

# `.`: it sends what it has of standard input, and its time limit counts while it waits for more.
send_call() {
  {
    printf 'hookline-head: '
    {
      printf '%s\0' version=1 "host=$HOOKLINE_HOST" "event=$HOOKLINE_EVENT" "cwd=$HOOKLINE_CWD" "deadline=$HOOKLINE_LEFT_MS" \
        "ask-deadline=$HOOKLINE_ASK_DEADLINE" "trust-project=$HOOKLINE_TRUST" env
      "$HOOKLINE_ENV" -0
    } | "$HOOKLINE_BASE64" | "$HOOKLINE_TR" -d '\n'
    echo
  } >"$HOOKLINE_WORK/head"
  fetch --request POST --upload-file . --header "@$HOOKLINE_WORK/head" --header 'Expect:' http://hookline/calls
}

# Of the last answer: 200, with how it exits and how long its two parts are; or 202, with a ticket.
read_headers() {
  HOOKLINE_STATUS='' HOOKLINE_EXIT='' HOOKLINE_STDOUT='' HOOKLINE_STDERR='' HOOKLINE_TICKET=''
  while IFS=' ' read -r HOOKLINE_NAME HOOKLINE_VALUE HOOKLINE_REST; do
    HOOKLINE_VALUE=${HOOKLINE_VALUE%"$HOOKLINE_RETURN"}
    case $HOOKLINE_NAME in
      HTTP/1.1) HOOKLINE_STATUS=$HOOKLINE_VALUE ;;
      hookline-ticket:) HOOKLINE_TICKET=$HOOKLINE_VALUE ;;
      hookline-exit:) HOOKLINE_EXIT=$HOOKLINE_VALUE ;;
      hookline-stdout:) HOOKLINE_STDOUT=$HOOKLINE_VALUE ;;
      hookline-stderr:) HOOKLINE_STDERR=$HOOKLINE_VALUE ;;
    esac
  done <"$HOOKLINE_WORK/headers"
} 2>/dev/null
HOOKLINE_RETURN=$(printf '\r')

# Code 7: no process listens, so nothing was sent.
HOOKLINE_STARTED=''
while :; do
  left_of "$HOOKLINE_DEADLINE" || end_without_answer 'no daemon listened before the deadline'
  send_call
  HOOKLINE_CODE=$?
  [ "$HOOKLINE_CODE" = 7 ] || break
  if [ -z "$HOOKLINE_STARTED" ]; then
    start_daemon </dev/null >/dev/null 2>&1 &
    HOOKLINE_STARTED=$!
  fi
  "$HOOKLINE_SLEEP" 0.05
done
[ "$HOOKLINE_CODE" = 0 ] && read_headers
if [ "$HOOKLINE_CODE" = 0 ] && [ "$HOOKLINE_STATUS" = 202 ]; then
  HOOKLINE_ASKED=yes
  left_of "$HOOKLINE_ASK_DEADLINE" || end_without_answer 'no person answered before the deadline'
  fetch "http://hookline/answers/$HOOKLINE_TICKET"
  HOOKLINE_CODE=$?
  [ "$HOOKLINE_CODE" = 28 ] && end_without_answer 'no person answered before the deadline'
  [ "$HOOKLINE_CODE" = 0 ] && read_headers
fi
case $HOOKLINE_CODE in
  0) ;;
  26) end_without_answer 'standard input cannot be read' ;;
  28) end_without_answer 'the daemon did not answer before the deadline' ;;
  18 | 52 | 55 | 56) end_without_answer 'the daemon ended before it had answered' ;;
  *) end_without_answer 'the daemon sent something that is not an answer' ;;
esac
case $HOOKLINE_STATUS$HOOKLINE_EXIT$HOOKLINE_STDOUT$HOOKLINE_STDERR in
  400) end_without_answer 'the call is malformed, or larger than 64 MB' ;;
  *[!0-9]*) end_without_answer 'the daemon sent something that is not an answer' ;;
esac
[ "$HOOKLINE_STATUS" = 200 ] && [ -n "$HOOKLINE_EXIT" ] && [ -n "$HOOKLINE_STDOUT" ] && [ -n "$HOOKLINE_STDERR" ] ||
  end_without_answer 'the daemon sent something that is not an answer'
if [ "$HOOKLINE_STDERR" -gt 0 ]; then "$HOOKLINE_TAIL" -c "$HOOKLINE_STDERR" "$HOOKLINE_WORK/body" >&2; fi
if [ "$HOOKLINE_STDOUT" -gt 0 ]; then "$HOOKLINE_HEAD" -c "$HOOKLINE_STDOUT" "$HOOKLINE_WORK/body"; fi
exit "$HOOKLINE_EXIT"
