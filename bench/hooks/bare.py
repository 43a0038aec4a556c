# The least a warm Python process can do with a line: parse it, print an answer.
import json, sys

for line in sys.stdin:
    sys.stdout.write(json.dumps(json.loads(line)) + "\n")
    sys.stdout.flush()
