"""Keeps the agent away from some files. The lists stand here, not in a file of their own: trust covers this script."""

import fnmatch
import glob
import json
import os
import re
import sys
import unicodedata

NAMES = [".env", ".env.*", "*.pem", "id_rsa*", "secrets", ".git", ".hookline"]  # in any folder, with all that is below
PATHS = ["config/production.json", "db/migrations"]  # from the project root, with all that is below
EXCEPT = [".env.example"]
ROOT = os.path.realpath(os.environ["HOOKLINE_PROJECT_DIR"])


def main():
    event = json.load(sys.stdin.buffer)
    arguments = event["tool_input"]
    base = os.path.realpath(os.path.join(event["cwd"], arguments.get("dir_path") or ""))
    named = os.path.join(base, arguments.get("file_path") or "")
    for path in [named, *paths_in(arguments.get("command") or "", base)]:
        if is_protected(path):
            reason = f"{os.path.relpath(path, ROOT)} is protected. Say which change it needs, and let a person make it."
            print(json.dumps({"decision": "deny", "reason": reason}))
            return


def paths_in(command, base):
    """Every word of a command, as a path. Quotes and backslashes go first: `.e"n"v` is .env to a shell."""
    words = re.split(r"[\s;|&<>()$`=,:{}@]+", re.sub(r"[\"'\\]", "", command))
    folders = [base, *(os.path.join(base, after) for before, after in zip(words, words[1:]) if before in ("cd", "-C"))]
    for word in filter(None, words):
        for folder in folders:
            path = os.path.join(folder, os.path.expanduser(word))
            yield path
            if re.search(r"[*?\[]", word):
                yield from glob.iglob(path)


def is_protected(path):
    """File tools take `..` out before they follow links, a shell follows links first: neither way may lead there."""
    plain = os.path.normpath(path)
    return any(is_listed(way) for way in (plain, os.path.realpath(plain), os.path.realpath(path)))


def is_listed(path):
    inside = path == ROOT or path.startswith(ROOT + os.sep)
    # In any case: where case does not count, .ENV is the same file.
    place = unicodedata.normalize("NFC", os.path.relpath(path, ROOT) if inside else path).casefold()
    names = [name for name in place.split(os.sep) if name not in EXCEPT]
    return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in NAMES) or any(
        place == listed or place.startswith(listed + os.sep) for listed in PATHS
    )


main()
