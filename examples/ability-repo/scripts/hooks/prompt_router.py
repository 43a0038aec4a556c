#!/usr/bin/env python3
"""PromptSubmit: suggests what a prompt is about. All it knows stands in integration/ROUTING.md and in the registry."""

import json
import os
import re
import sys
from pathlib import Path

PROJECT = Path(os.environ.get("HOOKLINE_PROJECT_DIR", "."))
MOST = 3  # suggestions of a kind; a longer list would not guide the model
LEAST_CONFIDENCE = 0.5
LONGEST_PROMPT = 20_000
COMMON = {"from", "into", "that", "them", "they", "this", "through", "want", "what", "when", "where", "which", "with"}


def main():
    event = json.load(sys.stdin)
    prompt = words_of(event.get("user_raw_input", "")[:LONGEST_PROMPT])
    topics, stages = read_routing(PROJECT / "integration/ROUTING.md")
    matches = [match for topic in topics if (match := match_topic(topic, prompt, event.get("current_files", [])))]
    matches.sort(key=lambda match: -match["score"])
    signals = [*routing_hint(matches, prompt), *normalized_intent(matches, stages, prompt)]
    print(json.dumps({"hook_signals": signals}))


def match_topic(topic, prompt, files):
    found = [word for word in listed(topic["words"]) if contains(prompt, words_of(word))]
    touched = any(file.startswith(topic["scope"].rstrip("/") + "/") for file in files)
    if not found and not touched:
        return None
    reasons = [f"The prompt says {', '.join(found)}."] if found else []
    reasons += [f"Files of {topic['scope']} are in use."] if touched else []
    return {"topic": topic, "score": len(found) + 0.5 * touched, "reason": " ".join(reasons)}


def routing_hint(matches, prompt):
    abilities = suggested_abilities(matches, prompt)
    documents = suggested_documents(matches)
    if not abilities and not documents:
        return []
    payload = {"suggested_abilities": abilities, "suggested_documents": documents}
    return [signal("routing_hint", "ROUTE_SUGGESTION", payload)]


def suggested_abilities(matches, prompt):
    suggestions = []
    for ability in read_registry():
        routed = [match for match in matches if ability["id"] in listed(match["topic"]["abilities"])]
        own = {word for word in words_of(f"{ability['id']} {ability['summary']}") if len(word) > 3 and word not in COMMON}
        shared = sorted(own.intersection(prompt))
        score = sum(match["score"] for match in routed) + 0.5 * len(shared)
        reasons = [match["reason"] for match in routed]
        reasons += [f"Its summary shares {', '.join(shared)}."] if shared else []
        suggestions.append({"id": ability["id"], "reason": " ".join(reasons), "confidence": confidence(score)})
    return best(suggestions)


def suggested_documents(matches):
    suggestions = {}
    for match in matches:
        for path in listed(match["topic"]["documents"]):
            if path not in suggestions and (PROJECT / path).is_file():
                suggestions[path] = {"path": path, "reason": match["reason"], "confidence": confidence(match["score"])}
    return best(suggestions.values())


def normalized_intent(matches, stages, prompt):
    if not matches:
        return []
    hits = {row["stage"]: sum(contains(prompt, words_of(word)) for word in listed(row["words"])) for row in stages}
    stage = max(hits, key=hits.get, default="")
    leading = matches[0]
    payload = {
        "scope": leading["topic"]["scope"],
        "topic": leading["topic"]["topic"],
        "stage": stage if hits.get(stage) else "unknown",
        "confidence": confidence(leading["score"]),
    }
    return [signal("normalized_intent", "INTENT_NORMALIZED", payload)]


def signal(kind, code, payload):
    source = {"source_event": "PromptSubmit", "hook_id": "prompt_router"}
    return {**source, "kind": kind, "code": code, "severity": "info", "payload": payload}


def confidence(score):
    """Every hit takes away more than half of the doubt that is left."""
    return round(1 - 0.4**score, 2)


def best(suggestions):
    likely = [one for one in suggestions if one["confidence"] >= LEAST_CONFIDENCE]
    return sorted(likely, key=lambda one: -one["confidence"])[:MOST]


def words_of(text):
    """In lower case and without a plural's s; e-mail is one word, like signup."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("e-mail", "email"))
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words]


def contains(words, phrase):
    return any(words[at : at + len(phrase)] == phrase for at in range(len(words) - len(phrase) + 1))


def read_routing(path):
    """The rows of the two tables, by the names in their heads."""
    tables = []
    head = None
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            head = None
        elif head is None:
            head = cells
            tables.append([])
        elif not re.fullmatch(r"[-: ]+", "".join(cells)):
            tables[-1].append(dict(zip(head, cells)))
    topics, stages = tables
    return topics, stages


def read_registry():
    """Ids and summaries of the abilities. Enough of YAML for that: keys at the margin, and what is indented below."""
    abilities = []
    for path in sorted((PROJECT / ".system/abilities").glob("*.yaml")):
        text = path.read_text()
        fields = dict(re.findall(r"^(id|summary):[ \t]*((?:.*)(?:\n[ \t]+.*)*)", text, re.MULTILINE))
        if "id" in fields:
            abilities.append({"id": fields["id"].strip(), "summary": fields.get("summary", "")})
    return abilities


def listed(cell):
    return [item.strip() for item in cell.split(",") if item.strip()]


main()
