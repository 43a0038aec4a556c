#!/bin/sh
# SessionStop: checks the components that a session has changed, and only those, and tells people what came of it in
# .system/logs/session_summary.md. It runs what stands in the work tree: the same as if you ran the tests yourself.

input=$(cat)
mkdir -p .system/logs .system/cache
draft=$(mktemp -d .system/cache/session_stop.XXXXXX) || exit 1
trap 'rm -rf "$draft"' EXIT

# Names come from file names, which can hold anything: python picks them, and lets only plain ones through.
printf '%s' "$input" | python3 -c '
import json, re, sys
files = json.load(sys.stdin).get("changed_files", [])
parts = (re.match(r"(services|apps)/[A-Za-z0-9_][A-Za-z0-9_.-]*(?=/)", file) for file in files)
print("\n".join(sorted({part.group() for part in parts if part})))
' > "$draft/components" || exit 1

failed=0
while read -r component; do
  [ -n "$component" ] || continue
  if [ ! -f "$component/check.sh" ]; then
    echo "- $component: has no check.sh"
  elif sh "$component/check.sh" < /dev/null > "$draft/output" 2>&1; then
    echo "- $component: passed"
  else
    failed=$((failed + 1))
    echo "- $component: FAILED, run \`sh $component/check.sh\`"
    tail -n 40 "$draft/output" | sed 's/^/      /'
  fi
done < "$draft/components" > "$draft/checks"

printf '%s' "$input" | python3 -c '
import json, sys
event = json.load(sys.stdin)
plain = lambda text: "".join(char if char.isprintable() else "?" for char in str(text))
tasks = ["{ability_id} ({task_key}): {status}".format(**task) for task in event.get("tasks_summary", [])]
lists = {"Changed files": event.get("changed_files", []), "Abilities used": event.get("abilities_used", []), "Tasks": tasks}
print("# The last session\n")
print("Session", plain(event["session_id"]) + ", from", plain(event.get("started_at")), "to", plain(event.get("ended_at")) + ".")
for title, items in lists.items():
    print(f"\n## {title}\n")
    print("\n".join(f"- {plain(item)}" for item in items) or "None.")
print("\n## Checks\n")
' > "$draft/summary.md" || exit 1
cat "$draft/checks" >> "$draft/summary.md"
mv "$draft/summary.md" .system/logs/session_summary.md

checked=$(grep -c . "$draft/components")
echo "{\"logs\": [\"$checked changed components, $failed failed; see .system/logs/session_summary.md\"]}"
