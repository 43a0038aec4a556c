"""Ends a session's work when it has used its tokens: AfterModel counts, BeforeModel stops."""

import hashlib
import json
import os
import sys
from pathlib import Path

MOST_TOKENS = int(os.environ["MOST_TOKENS"])
STATE = Path(os.environ["HOOKLINE_HOOK_STATE"], "tokens")


def after_model(event):
    if event.get("second_pass"):
        return  # another hook has rewritten the answer; it was counted before
    STATE.mkdir(parents=True, exist_ok=True)
    # A short line at the end of the file is one write: with several agents at once, every count is kept.
    with open(ledger(event), "ab", buffering=0) as file:
        file.write(b"%d\n" % tokens_of(event))


def before_model(event):
    path = ledger(event)
    used = sum(int(line) for line in path.read_text().split()) if path.exists() else 0
    if used < MOST_TOKENS:
        return None
    reason = f"This session has used {used} tokens, and {MOST_TOKENS} is the most. A person can raise it or start anew."
    return {"continue": False, "stopReason": reason}


def ledger(event):
    """A file per session. The id is hashed, as it comes from elsewhere and must not lead out of the folder."""
    return STATE / hashlib.sha256(event["session_id"].encode("utf-8", "replace")).hexdigest()[:32]


def tokens_of(event):
    usage = event["llm_response"].get("usageMetadata") or {}
    parts = [usage.get(key) for key in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")]
    counts = [usage.get("totalTokenCount"), sum(part for part in parts if is_count(part))]
    # A model that does not say what it used is not free: four characters to a token is the usual guess.
    guess = len(json.dumps([event["llm_request"], event["llm_response"]])) // 4
    return next((count for count in counts if is_count(count) and count > 0), guess)


def is_count(value):
    return isinstance(value, int) and value >= 0


def serve(hooks):
    """Answers line by line. It is part of this script, since trust does not cover what a script imports."""
    for request in map(json.loads, sys.stdin.buffer):
        if "id" not in request:
            continue  # a cancel; nothing here takes long
        try:
            answer = {"output": hooks[request["event"]](request["input"])}
        except Exception as error:
            answer = {"error": {"message": repr(error)}}
        print(json.dumps({"id": request["id"], **answer}), flush=True)


serve({"AfterModel": after_model, "BeforeModel": before_model})
