#!/bin/sh
# Keeps what people ask for, one line of JSON each, without what they paste by mistake.

umask 077 # prompts are private to the user
folder=${HOOKLINE_HOOK_STATE:?} # in the user's folder: what lies in the project, the agent could write
[ ! -L "$folder/prompts.jsonl" ] || exit 1 # a link could lead the lines into any other file
line=$(mktemp "$folder/line.XXXXXX") || exit 1
trap 'rm -f "$line"' EXIT

# Redacted before it is cut: half a key would not be recognised.
jq -c '
  def key: [
    "AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|npm_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20,99}",
    "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,99}|xox[abeoprs]-[A-Za-z0-9-]{10,99}",
    "[rs]k_live_[A-Za-z0-9]{16,99}|sk-(?:proj-|ant-|(?=[A-Za-z_-]{0,40}[0-9]))[A-Za-z0-9_-]{20,250}"
  ] | join("|");
  def name: "(?:pass(?:word|wd)|secret|token|api[_ -]?key)\\w{0,30}[\"\u0027]?"; # also after DB_, say
  def value: "(?:\"[^\"]*\"|\u0027[^\u0027]*\u0027|\\S+)";
  def redacted:
    gsub("-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]*-----)?"; "[private key]")
    | gsub("(?<![A-Za-z0-9])(?:\(key))"; "[key]")
    | gsub("(?<to>://[^\\s:/@]{0,99}:)[^\\s/]+@"; "\(.to)[redacted]@")
    | gsub("(?<what>\(name)\\s*(?:is|[:=])\\s*|bearer\\s+)\(value)"; "\(.what)[redacted]"; "i")
    | gsub("[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}.-]+\\.\\p{L}{2,}"; "[e-mail]");
  { at: .timestamp, session: .session_id, characters: (.prompt | length), prompt: (.prompt | redacted | .[:2000]) }
' > "$line" || exit 1

cat "$line" >> "$folder/prompts.jsonl" # in one write, so that two sessions do not mix their lines
