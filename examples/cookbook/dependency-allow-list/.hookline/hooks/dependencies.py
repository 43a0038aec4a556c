"""Asks a person before a package comes in that is not listed. The lists stand here: trust covers this script."""

import json
import os
import re
import sys

ALLOWED = {"npm": {"zod", "vitest", "typescript", "@types/node"}, "pip": {"requests", "pytest"}}
PROGRAMS = {"npm": r"(npm|pnpm|yarn|bun)|npx|bunx", "pip": r"(pip[\d.]*|uv|poetry|pipenv|pdm)|uvx|pipx"}
VERBS = {"install", "i", "in", "ins", "inst", "insta", "instal", "isntall", "install-test", "it", "add", "link", "ln"}
RUNS = {"exec", "x", "dlx"}
CREATES = {"create", "init", "innit"}  # `npm create vite` runs the package create-vite
TABLES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions"]
REQUIREMENTS = r"requirements[\w.-]*\.txt"


def main():
    event = json.load(sys.stdin.buffer)
    arguments = event["tool_input"]
    found = unlisted_in_command(arguments.get("command") or "")
    # A command beside it does not make an edit into something else: a tool takes no notice of arguments it does not know.
    if event["tool_name"] != "run_shell_command":
        # Where a link leads: it may bear another name.
        path = os.path.realpath(os.path.join(event["cwd"], arguments.get("file_path") or ""))
        found += unlisted_in_edit(event["tool_name"], arguments, path)
    if found:
        reason = f"Not on the list of allowed packages: {', '.join(dict.fromkeys(found))[:500]}"
        print(json.dumps({"decision": "ask", "reason": reason}))


def unlisted_in_command(command):
    plain = re.sub(r"\\\n|[\"'\\]", "", command)  # a shell does not see them either
    writes = re.search(r">|\b(tee|mv|cp|sed|perl|sponge)\b", plain) and re.search(rf"package\.json|{REQUIREMENTS}", plain)
    if writes or re.search(r"\bpkg\b.*\bset\b.*(ependencies|overrides|resolutions)", plain):
        return ["what this command may write into a list of packages"]
    plain = re.sub(r"\d*&?[<>]+&?\s*[^\s;&|()`$]*", " ", plain)  # a redirection is not a package
    # An option and its value are two words, however they are written.
    plain = re.sub(r"(?<!\S)(-r|--package|--with|--from|--requirement)=?(?=[^\s=])", r"\1 ", plain)
    calls = [part.split() for part in re.split(r"[;&|()\n`]", plain)]
    return [name for words in calls for at in range(len(words)) for name in unlisted_in_call(words, at)]


def unlisted_in_call(call, at):
    """What the program at this place of a call brings in."""
    for kind, programs in PROGRAMS.items():
        match = re.fullmatch(programs, os.path.basename(call[at]))
        if match is None:
            continue
        words = call[at + 1 :]
        verbs = VERBS | RUNS | (CREATES if kind == "npm" else set())
        # Options may stand before the verb. npx and its like have none: their first word is a package.
        place = next((place for place, word in enumerate(words) if word in verbs), None) if match[1] else -1
        if place is None:
            return []
        verb = words[place] if match[1] else "exec"
        names = names_in(words[place + 1 :])
        if verb in RUNS:
            # What is run from node_modules is there already; what follows it are its own arguments.
            names = [name for name in names[:1] if not os.path.exists(f"node_modules/.bin/{name}")]
        if verb in CREATES:
            names = [f"create-{name}" for name in names[:1]]
        # An address anywhere in the call may be that of another registry.
        return [name for name in names if not is_allowed(kind, name)] + [word for word in call if "://" in word]
    return []


def names_in(words):
    """The words that name packages. A list of the project is looked at when it is edited."""
    pairs = [(before, word) for before, word in zip([None, *words], words) if not word.startswith("-")]
    return [word for before, word in pairs if not (before in ("-r", "--requirement") and is_own_list(word))]


def is_own_list(path):
    return re.fullmatch(REQUIREMENTS, os.path.basename(path)) and not re.match(r"/|~|.*(\.\.|:)", path)


def unlisted_in_edit(tool, arguments, path):
    name = os.path.basename(path).casefold()
    if name != "package.json" and not re.fullmatch(REQUIREMENTS, name):
        return []
    text = arguments.get("new_string" if tool == "replace" else "content") or ""
    if tool == "replace" and arguments.get("old_string"):
        with open(path, encoding="utf-8", newline="") as file:
            before = file.read()
        # The tool may still find it, with other line ends than these.
        if arguments["old_string"] not in before:
            return [f"an edit of {name} that cannot be followed"]
        text = before.replace(arguments["old_string"], text)
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
    return isinstance(text, str) and re.fullmatch(r"(workspace:)?[^:/]*", text) is not None


def is_allowed(kind, wanted):
    if re.fullmatch(r"\.(/.*)?", wanted) and ".." not in wanted:
        return True  # a folder of this project
    if "://" in wanted:
        return False
    if kind == "pip":
        return re.split(r"[\s\[<>=!~;@,]", wanted)[0].lower().replace("_", "-") in ALLOWED[kind]
    name, _, version = wanted[1:].partition("@")  # the first @ may be that of a scope
    return wanted[:1] + name in ALLOWED[kind] and is_version(version)


main()
