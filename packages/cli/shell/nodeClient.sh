# hookline-hook <host> <event> --deadline <ms> --ask-deadline <ms> [--trust-project]
#
# Starts the client in Node. `hookline install` writes the lines above, and withoutAnswer.sh.

[ -x "$HOOKLINE_NODE" ] || end_without_answer "Node is gone from $HOOKLINE_NODE; run \`hookline install\` again"
[ -f "$HOOKLINE_SCRIPT" ] || end_without_answer "hookline is gone from $HOOKLINE_SCRIPT; run \`hookline install\` again"

# The agent's variables are for hooks only: NODE_OPTIONS or OPENSSL_CONF would change what Node runs.
exec "$HOOKLINE_ENV" -i "HOME=$HOOKLINE_HOME" "PATH=$HOOKLINE_PATH" \
  "$HOOKLINE_NODE" "$HOOKLINE_SCRIPT" client "$HOOKLINE_HOME" --env-from 3 "$@" 3<<HOOKLINE_END
$("$HOOKLINE_ENV" -0 | "$HOOKLINE_BASE64")
HOOKLINE_END
