#!/bin/sh
# Refuses tasks for dev and staging while a file .system/down/<environment> exists.

environment=$(sed -n 's/.*"environment":"\([^"]*\)".*/\1/p')

case "$environment" in
  dev | staging) ;;
  *) exit 0 ;;
esac

[ -e ".system/down/$environment" ] || exit 0

cat <<JSON
{ "hook_signals": [ {
    "kind": "ability_preflight",
    "code": "ABILITY_UNAVAILABLE",
    "payload": { "reason": "$environment is down; remove .system/down/$environment when it is back" }
} ] }
JSON
