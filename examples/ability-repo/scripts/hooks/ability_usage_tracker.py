#!/usr/bin/env python3
"""PostAbilityCall: counts every call, and notes the slow ones. Many sessions and jobs may call at once."""

import fcntl
import json
import os
import sys
import tempfile
from pathlib import Path

PROJECT = Path(os.environ.get("HOOKLINE_PROJECT_DIR", "."))
CACHE = PROJECT / ".system/cache/ability_usage.json"
SLOW_LOG = PROJECT / ".system/logs/slow_abilities.log"
SLOW_MS = int(os.environ.get("SLOW_ABILITY_MS", "5000"))


def main():
    call = json.load(sys.stdin)
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    SLOW_LOG.parent.mkdir(parents=True, exist_ok=True)
    # The lock is on a file of its own: the cache is replaced, and a lock on it would be one on the file it was before.
    with open(CACHE.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        usage, logs = read_usage()
        usage[call["ability_id"]] = counted(usage.get(call["ability_id"], {}), call)
        replace(CACHE, json.dumps(usage, indent=2, sort_keys=True) + "\n")
        if call.get("duration_ms", 0) >= SLOW_MS:
            note_slow(call)
    print(json.dumps({"usage_recorded": True, "logs": logs}))


def counted(before, call):
    duration = call.get("duration_ms", 0)
    status = call["status"]
    return {
        "calls": before.get("calls", 0) + 1,
        "success": before.get("success", 0) + (status == "success"),
        "partial": before.get("partial", 0) + (status == "partial"),
        "failure": before.get("failure", 0) + (status == "failure"),
        "total_ms": before.get("total_ms", 0) + duration,
        "max_ms": max(before.get("max_ms", 0), duration),
        "last_called_at": call.get("timestamp"),
    }


def read_usage():
    """What was counted so far. A file that cannot be read is put aside, not lost."""
    try:
        usage = json.loads(CACHE.read_text())
        if isinstance(usage, dict):
            return usage, []
    except FileNotFoundError:
        return {}, []
    except ValueError:
        pass
    aside = CACHE.with_suffix(".broken.json")
    os.replace(CACHE, aside)
    return {}, [f"{CACHE.name} could not be read and was put aside as {aside.name}"]


def replace(path, text):
    """A reader sees the old file or the new one, never half of one."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(draft, 0o644)
    os.replace(draft, path)


def note_slow(call):
    fields = ("timestamp", "ability_id", "task_key", "status", "duration_ms", "input_summary")
    line = json.dumps({field: call[field] for field in fields if field in call})
    with open(SLOW_LOG, "a") as log:
        log.write(line + "\n")


main()
