# The Python worker's hook as a command: a process per event.
import json, sys

print(json.dumps({"decision": "allow", "systemMessage": json.load(sys.stdin)["tool_name"]}))
