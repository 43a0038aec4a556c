#!/bin/sh
# Keeps what people ask for, one line of JSON each, without what they paste by mistake.

umask 077 # prompts are nobody else's business
folder=.hookline/log
mkdir -p "$folder" || exit 1
[ ! -L "$folder/prompts.jsonl" ] || exit 1 # a link could lead the lines into any other file
line=$(mktemp "$folder/line.XXXXXX") || exit 1
trap 'rm -f "$line"' EXIT

# Redacted before it is cut: half a key would not be recognised.
jq -c '
  def redacted:
    gsub("-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?"; "[private key]")
    | gsub("\\b(AKIA|ASIA)[A-Z0-9]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{36}|\\b[rs]k_live_[A-Za-z0-9]+|\\bsk-[A-Za-z0-9_-]{20,}"; "[key]")
    | gsub("(?<what>(password|passwd|secret|token|api_?key)[\"\u0027]?\\s*(is|[:=])\\s*)\\S+"; "\(.what)[redacted]"; "i")
    | gsub("[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}.-]+\\.\\p{L}{2,}"; "[e-mail]");
  { at: .timestamp, session: .session_id, characters: (.prompt | length), prompt: (.prompt | redacted | .[:2000]) }
' > "$line" || exit 1

cat "$line" >> "$folder/prompts.jsonl" # in one write, so that two sessions do not mix their lines
