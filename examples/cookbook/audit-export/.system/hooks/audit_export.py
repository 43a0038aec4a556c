"""Writes down who called which tool on what, and how it ended: one line of JSON per call, for a log collector.

What was written or printed is not kept, only a hash of the arguments: with it, a call can be recognised later.
"""

import fcntl
import hashlib
import json
import os
import re
import sys

# In the user's folder: what lies in the project, the agent could write.
LOG = os.path.join(os.environ["HOOKLINE_HOOK_STATE"], "audit.jsonl")
KEYS = [
    "AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|npm_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20,99}",
    "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,99}|xox[abeoprs]-[A-Za-z0-9-]{10,99}",
    "[rs]k_live_[A-Za-z0-9]{16,99}|sk-(?:proj-|ant-|(?=[A-Za-z_-]{0,40}[0-9]))[A-Za-z0-9_-]{20,250}",
    "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*",
]
WORD = r"(?:pass(?:word|wd)|secret|token|api[_ -]?key)\w{0,30}[\"']?"  # also at the end of a longer name, as in PGPASSWORD
MASKS = [
    (re.compile(f"(?<![A-Za-z0-9])(?:{'|'.join(KEYS)})"), "[redacted]"),
    (re.compile(r"(://[^\s:/@]{0,99}:)[^\s/]+@"), r"\1[redacted]@"),
    (re.compile(rf"(?i)({WORD}(?:\s*(?:is|[:=])\s*|\s+)|bearer\s+)(?:\"[^\"]*\"|'[^']*'|\S+)"), r"\1[redacted]"),
]
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
            "target": masked(target)[:LONGEST],
            "arguments_sha256": hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest(),
            "failed": bool(response.get("error")),
            "exit_code": (response.get("metadata") or {}).get("exitCode", 0),
        }
    )


def masked(text):
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


def append(record):
    # Not through a link, which could lead the lines into any other file.
    log = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    # Many calls end at once. The lock keeps their lines apart, and one write keeps each whole.
    fcntl.flock(log, fcntl.LOCK_EX)
    os.write(log, json.dumps(record).encode() + b"\n")


main()
