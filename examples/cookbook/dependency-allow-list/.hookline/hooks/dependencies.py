"""Asks a person before a package comes in that is not listed. The lists stand here: trust covers this script."""

import json
import os
import re
import sys

ALLOWED = {"npm": {"zod", "vitest", "typescript", "@types/node"}, "pip": {"requests", "pytest"}}
PROGRAMS = {"npm": r"(npm|pnpm|yarn|bun)|npx|bunx", "pip": r"(pip[\d.]*|uv|poetry)|uvx|pipx"}
VERBS = {"install", "i", "in", "ins", "inst", "insta", "instal", "isntall", "add", "it", "link", "ln", "exec", "x", "dlx"}
TABLES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions"]
REQUIREMENTS = r"requirements[\w.-]*\.txt"


def main():
    event = json.load(sys.stdin.buffer)
    arguments = event["tool_input"]
    if arguments.get("command"):
        found = unlisted_in_command(arguments["command"])
    else:
        # Where a link leads: it may bear another name.
        found = unlisted_in_edit(arguments, os.path.realpath(os.path.join(event["cwd"], arguments.get("file_path") or "")))
    if found:
        reason = f"Not on the list of allowed packages: {', '.join(found)[:500]}"
        print(json.dumps({"decision": "ask", "reason": reason}))


def unlisted_in_command(command):
    plain = re.sub(r"\\\n|[\"'\\]", "", command)  # a shell does not see them either
    if re.search(rf"package\.json|{REQUIREMENTS}", plain) and re.search(r">|\b(tee|mv|cp|sed)\b", plain):
        return ["what this command may write into a list of packages"]
    calls = [part.split() for part in re.split(r"[;&|()\n`]", plain)]
    return [name for words in calls for at, word in enumerate(words) for name in unlisted_in_call(word, words[at + 1 :])]


def unlisted_in_call(program, words):
    for kind, programs in PROGRAMS.items():
        match = re.fullmatch(programs, os.path.basename(program))
        if match is None:
            continue
        # Options may stand before the verb. npx and its like have none: their first word is a package.
        verb = next((at for at, word in enumerate(words) if word in VERBS), len(words)) if match[1] else -1
        runs = not match[1] or words[verb : verb + 1] in (["exec"], ["x"], ["dlx"])
        names = []
        for before, word in zip([None, *words[verb + 1 :]], words[verb + 1 :]):
            is_list = before in ("-r", "--requirement") and re.fullmatch(REQUIREMENTS, os.path.basename(word))
            if not is_list and ("://" in word or not word.startswith("-")):
                names.append(word)
        # What is run from node_modules is there already; what follows it are its own arguments.
        names = [name for name in names[:1] if not os.path.exists(f"node_modules/.bin/{name}")] if runs else names
        return [name for name in names if not is_allowed(kind, name)]
    return []


def unlisted_in_edit(arguments, path):
    name = os.path.basename(path).casefold()
    if name != "package.json" and not re.fullmatch(REQUIREMENTS, name):
        return []
    text = arguments.get("new_string") or arguments.get("content") or ""
    if arguments.get("old_string"):
        with open(path, encoding="utf-8") as file:
            text = file.read().replace(arguments["old_string"], arguments["new_string"])
    if name != "package.json":
        lines = [line.split(" #")[0].strip() for line in text.splitlines() if not line.startswith("#")]
        return [line for line in lines if line and not is_allowed("pip", line)]
    try:
        manifest = json.loads(text)
    except ValueError:
        return ["a package.json that cannot be read"]
    wanted = [item for table in TABLES for item in (manifest.get(table) or {}).items()]
    return [f"{name} {version}" for name, version in wanted if not (is_allowed("npm", name) and is_version(version))]


def is_version(text):
    """No address, no shorthand for one, and no other package under this name."""
    return isinstance(text, str) and re.fullmatch(r"(workspace:|file:\.)?[^:/]*", text) is not None


def is_allowed(kind, wanted):
    if re.fullmatch(r"\.\.?(/.*)?", wanted):
        return True  # a folder of this project
    if "://" in wanted or "npm:" in wanted:
        return False
    name = re.sub(r"(?<=.)@.*", "", wanted) if kind == "npm" else re.split(r"[\s\[<>=!~;@,]", wanted)[0].lower()
    return name.replace("_", "-") in ALLOWED[kind]


main()
