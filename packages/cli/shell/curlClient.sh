# hookline-hook <host> <event> --deadline <ms> --ask-deadline <ms> [--trust-project]
#
# The client for machines without the native one: it hands the call of an agent to the daemon with curl, and prints the answer.
# `hookline install` writes the lines above, and withoutAnswer.sh.

HOOKLINE_TRUST=0
HOOKLINE_DEADLINE=''
HOOKLINE_ASK_DEADLINE=''
HOOKLINE_BEGUN=$("$HOOKLINE_DATE" +%s)

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
# The start of a daemon may still write into it: what is left, the next daemon removes.
trap '"$HOOKLINE_RM" -rf "$HOOKLINE_WORK" 2>/dev/null' EXIT
trap 'exit 143' HUP INT TERM

# In another folder where the path would be too long; the daemon says where.
find_socket() {
  HOOKLINE_SOCKET=$HOOKLINE_RUN/daemon.sock
  [ -f "$HOOKLINE_RUN/socket" ] && is_own "$HOOKLINE_RUN/socket" || return 0
  IFS= read -r HOOKLINE_SOCKET <"$HOOKLINE_RUN/socket"
  [ -e "${HOOKLINE_SOCKET%/*}" ] || return 0
  if [ -O "${HOOKLINE_SOCKET%/*}" ]; then
    case $("$HOOKLINE_LS" -ld "${HOOKLINE_SOCKET%/*}") in drwx------*) return 0 ;; esac
  fi
  end_without_answer 'the folder of the socket is not one that only this user may enter'
}

# Sets HOOKLINE_LEFT, in seconds; at least one millisecond, since 0 would mean for ever. The clock has whole seconds.
left_of() {
  HOOKLINE_LEFT_MS=$(($1 - 1000 * ($("$HOOKLINE_DATE" +%s) - HOOKLINE_BEGUN)))
  [ "$HOOKLINE_LEFT_MS" -gt 0 ] && [ "$HOOKLINE_LEFT_MS" -le "$1" ] || return 1
  HOOKLINE_LEFT=$(printf '%d.%03d' $((HOOKLINE_LEFT_MS / 1000)) $((HOOKLINE_LEFT_MS % 1000)))
}

# -q: without the configuration of the user or of a repository. -i: without OPENSSL_CONF and the like.
fetch() {
  "$HOOKLINE_ENV" -i "$HOOKLINE_CURL" -q --silent --noproxy '*' --unix-socket "$HOOKLINE_SOCKET" --max-time "$HOOKLINE_LEFT" \
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

start_daemon() {
  cd / && "$HOOKLINE_ENV" -i "HOME=$HOOKLINE_HOME" "PATH=$HOOKLINE_PATH" "$HOOKLINE_NODE" "$HOOKLINE_SCRIPT" daemon start
}

# Code 7: no process listens, so nothing was sent. Code 6: the path is too long, so no daemon has said where yet.
HOOKLINE_STARTED=''
while :; do
  left_of "$HOOKLINE_DEADLINE" || end_without_answer 'no daemon listened before the deadline'
  find_socket
  send_call
  HOOKLINE_CODE=$?
  case $HOOKLINE_CODE in 6 | 7) ;; *) break ;; esac
  if [ -z "$HOOKLINE_STARTED" ]; then
    { start_daemon || echo $? >"$HOOKLINE_WORK/failed"; } </dev/null >/dev/null 2>&1 &
    HOOKLINE_STARTED=$!
  fi
  if [ -s "$HOOKLINE_WORK/failed" ]; then
    read -r HOOKLINE_CODE <"$HOOKLINE_WORK/failed"
    case $HOOKLINE_CODE in
      126 | 127) end_without_answer "Node is gone from $HOOKLINE_NODE; run \`hookline install\` again" ;;
      *) end_without_answer 'the daemon ended while it started; `hookline daemon run` shows why' ;;
    esac
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
