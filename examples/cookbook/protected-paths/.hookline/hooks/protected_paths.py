"""Keeps the agent away from some files. The lists stand here, not in a file of their own: trust covers this script."""

import fnmatch
import functools
import glob
import json
import os
import re
import sys
import unicodedata

# In any folder, with all that is below.
NAMES = [".env", ".env.*", "*.pem", "id_rsa*", "secrets", "CODEOWNERS", ".git", ".hookline"]
# From the project root, with all that is below.
PATHS = ["config/production.json", "db/migrations"]
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
    plain = re.sub(r"\$\{?PWD\}?|\$\(pwd\)|~\+", ".", re.sub(r"\\\n|[\"'\\]", "", command))
    words = re.split(r"[\s;|&<>()$`=,:{}@]+", re.sub(r"\$\{?HOME\}?", "~", plain))
    # The value of a short option may follow without a space, as in -o.env.
    values = [word[at:] for word in words if re.match(r"-[A-Za-z]", word) for at in range(2, 6)]
    for folder in folders_in([word for word in words if word not in ("--", "-P", "-L")], base):
        for word in filter(None, dict.fromkeys(words + values)):
            path = os.path.join(folder, os.path.expanduser(word))
            yield path
            if re.search(r"[*?\[]", word):
                yield from glob.iglob(path)


def folders_in(words, base):
    """The folder of the call, and wherever a change of folder leads, after any of those before it."""
    folders = {base}
    for before, after in zip(words, words[1:]):
        if before in ("cd", "pushd", "-C", "--chdir"):
            paths = [os.path.join(folder, os.path.expanduser(after)) for folder in folders]
            folders.update(map(os.path.normpath, paths), map(os.path.realpath, paths))
        if len(folders) > 50:
            sys.exit("the command changes its folder too often to be followed")  # a failure, which blocks
    return folders


def is_protected(path):
    """File tools take `..` out before they follow links, a shell follows links first: neither way may lead there."""
    plain = os.path.normpath(path)
    return any(is_listed(way) for way in {plain, real(plain), real(path)})


@functools.lru_cache(maxsize=None)
def real(path):
    """os.path.realpath, which is slow for the thousands of words that a long command may have."""
    folder, name = os.path.split(path)
    if name in ("", ".", "..") or os.path.islink(path):
        return os.path.realpath(path)
    return os.path.join(real(folder), name)


@functools.lru_cache(maxsize=None)
def is_listed(path):
    inside = path == ROOT or path.startswith(ROOT + os.sep)
    place = folded(os.path.relpath(path, ROOT) if inside else path)
    names = [name for name in place.split(os.sep) if name not in EXCEPT]
    return any(map(NAMED.match, names)) or any(place == listed or place.startswith(listed + os.sep) for listed in PATHS)


def folded(path):
    return unicodedata.normalize("NFC", path).casefold()  # where case does not count, .ENV is the same file


NAMES, PATHS, EXCEPT = [[folded(entry) for entry in entries] for entries in (NAMES, PATHS, EXCEPT)]
NAMED = re.compile("|".join(map(fnmatch.translate, NAMES)))
main()
