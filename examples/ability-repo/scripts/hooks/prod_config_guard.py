#!/usr/bin/env python3
"""PreAbilityCall: any change to the config of production needs a person who agrees."""

import json
import os
import re
import sys

PROJECT = os.path.realpath(os.environ.get("HOOKLINE_PROJECT_DIR", "."))
PATH_KEY = re.compile(r"(^|_)(path|paths|file|files|filename|target)$", re.IGNORECASE)
PRODUCTION = re.compile(r"config/prod(uction)?([./-].*)?", re.IGNORECASE)


def main():
    event = json.load(sys.stdin)
    ability, summary = event["ability_id"], event.get("args_summary", "")
    source = event["caller"]["source"]
    try:
        named = list(paths_in(json.loads(summary)))
    except ValueError:
        # Too long to be told whole, or no JSON: what cannot be read cannot be cleared.
        ask(ability, f"It cannot be told which files {ability} would change, called from {source}.")
        return
    touched = sorted({path for name in named for path in inside_project(name, event.get("cwd", PROJECT))})
    production = [path for path in touched if PRODUCTION.fullmatch(path)]
    secret = [path for path in production if "secret" in path.lower()]
    if secret:
        deny(ability, f"{', '.join(secret)} comes from the vault and is not changed here.")
    elif production:
        ask(ability, f"{', '.join(production)} is config of production; {source} may not change it without a person.")
    elif any("…" in name for name in named):
        ask(ability, f"A path is too long to be told which file {ability} would change, called from {source}.")


def paths_in(value, key=""):
    """Every path among the arguments. Other texts may speak of production as they like."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from paths_in(inner, key)
    elif isinstance(value, str) and PATH_KEY.search(key):
        yield value


def inside_project(name, cwd):
    """Where a path may lead to, with links followed. Tools start from the working directory, abilities from the project."""
    name = name.replace("\\", "/")
    for base in (PROJECT, cwd):
        for path in (os.path.normpath(os.path.join(base, name)), os.path.realpath(os.path.join(base, name))):
            yield os.path.relpath(path, PROJECT).replace(os.sep, "/")


def deny(ability, reason):
    emit({"ability_id": ability, "reason": reason})


def ask(ability, reason):
    """A denial that a person can lift."""
    emit({"ability_id": ability, "reason": reason, "require_human": True})


def emit(payload):
    source = {"source_event": "PreAbilityCall", "hook_id": "prod_config_guard"}
    signal = {**source, "kind": "ability_guard", "code": "ABILITY_DENIED", "severity": "error", "payload": payload}
    print(json.dumps({"hook_signals": [signal]}))


main()
