"""Writes down who called which tool on what, and how it ended: one line of JSON per call, for a log collector.

What was written or printed is not kept, only a hash of the arguments: with it, a call can be recognised later.
"""

import fcntl
import hashlib
import json
import os
import re
import sys

LOG = os.path.join(os.environ["HOOKLINE_PROJECT_DIR"], ".hookline/log/audit.jsonl")
SECRET = re.compile(r"(?i)\b((?:password|secret|token|api_?key)[=: ]+|bearer )\S+|\b(?:AKIA|gh[pousr]_|[rs]k_live_)\w+")
LONGEST = 500


def main():
    event = json.load(sys.stdin.buffer)
    arguments, response = event["tool_input"], event["tool_response"]
    target = str(arguments.get("file_path") or arguments.get("command") or arguments.get("dir_path") or "")
    append(
        {
            "at": event["timestamp"],
            "session": event["session_id"],
            "call": event["tool_call_id"],
            "tool": event["tool_name"],
            "target": SECRET.sub(r"\1[redacted]", target)[:LONGEST],
            "arguments_sha256": hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest(),
            "failed": bool(response.get("error")),
            "exit_code": (response.get("metadata") or {}).get("exitCode", 0),
        }
    )


def append(record):
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    # Not through a link, which could lead the lines into any other file.
    log = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    # Many calls end at once. The lock keeps their lines apart, and one write keeps each whole.
    fcntl.flock(log, fcntl.LOCK_EX)
    os.write(log, json.dumps(record).encode() + b"\n")


main()
