#!/usr/bin/env python3
"""PreAbilityCreate: whether an ability can be had in an environment, by .system/availability.json and config/."""

import json
import os
import re
import sys
from pathlib import Path

PROJECT = Path(os.environ.get("HOOKLINE_PROJECT_DIR", "."))


def main():
    event = json.load(sys.stdin)
    ref = event["ability_ref"]
    policy = json.loads((PROJECT / ".system/availability.json").read_text())
    rule = policy["abilities"].get(id_of(ref), {"in_production": False, "config": []})
    environment = event.get("environment")
    problem = judge(rule, environment, policy["production"])
    payload = {"ability_ref": ref, **(problem or {})}
    code = "ABILITY_UNAVAILABLE" if problem else "ABILITY_AVAILABLE"
    severity = "error" if problem else "info"
    source = {"source_event": "PreAbilityCreate", "hook_id": "nonprod_availability_check"}
    signal = {**source, "kind": "ability_preflight", "code": code, "severity": severity, "payload": payload}
    print(json.dumps({"hook_signals": [signal]}))


def judge(rule, environment, production):
    """What stands in the way, and what to do about it; None if nothing does."""
    if environment is None:
        if not rule["config"]:
            return None
        return unavailable("It is not said for which environment.", "Name one: dev or staging.")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", environment):
        return unavailable("That is not the name of an environment.", "Use lower-case letters, such as staging.")
    if environment in production and not rule["in_production"]:
        return unavailable(
            f"Operation is not enabled in {environment}.",
            "Switch to staging or dev, or ask a person to change .system/availability.json.",
        )
    if not rule["config"]:
        return None
    return missing_config(rule["config"], PROJECT / "config" / f"{environment}.json")


def missing_config(keys, path):
    name = path.relative_to(PROJECT)
    try:
        config = json.loads(path.read_text())
    except FileNotFoundError:
        return unavailable(f"There is no {name}.", "Use an environment that has a config, or add one.")
    except ValueError as error:
        return unavailable(f"{name} cannot be read: {error}.", "Correct the file.")
    missing = [key for key in keys if not has(config, key.split("."))]
    if missing:
        return unavailable(f"{name} does not set {', '.join(missing)}.", "Add what is missing.")
    return None


def has(config, keys):
    for key in keys:
        if not isinstance(config, dict) or config.get(key) is None:
            return False
        config = config[key]
    return True


def unavailable(reason, suggestion):
    return {"reason": reason, "suggestion": suggestion}


def id_of(ref):
    """The ability's id, also if it was asked for by an operation key: a rule must not depend on how one asks."""
    if ref["kind"] == "ability_id":
        return ref["value"]
    for path in sorted((PROJECT / ".system/abilities").glob("*.yaml")):
        text = path.read_text()
        fields = dict(re.findall(r"^(id|operation_keys):[ \t]*((?:.*)(?:\n[ \t]+.*)*)", text, re.MULTILINE))
        if ref["value"] in re.findall(r"[\w.:-]+", fields.get("operation_keys", "")):
            return fields["id"].strip()
    return ref["value"]


main()
