"""Says for each folder which tools may be used there. The table stands here: trust covers this script."""

import functools
import glob
import json
import os
import re
import sys
import unicodedata

LOOK = {"read_file", "list_directory", "glob", "grep_search"}
EDIT = {"write_file", "replace"}

# The first row that fits a path decides. `*` stays inside of a name, `**` does not. What no row fits is not allowed.
TABLE = [
    (".hookline/**", LOOK),
    ("secrets/**", set()),
    ("vendor/**", LOOK),
    ("docs/**/*.md", LOOK | EDIT),
    ("docs/**", LOOK),
    ("**", LOOK | EDIT | {"run_shell_command"}),
]
ROOT = os.path.realpath(os.environ["HOOKLINE_PROJECT_DIR"])


def before_tool(event):
    real.cache_clear()  # there may be other links than at the call before
    tool, arguments = event["tool_name"], event["tool_input"]
    for path in paths_in(tool, arguments, event["cwd"]):
        pattern, tools = next(((pattern, tools) for pattern, fits, tools in ROWS if fits(path)), ("no row", set()))
        if tool not in tools:
            allowed = ", ".join(sorted(tools)) or "none"
            return {"decision": "deny", "reason": f"{tool} is not allowed in {path} ({pattern}). Allowed: {allowed}."}
    return None


def paths_in(tool, arguments, cwd):
    """Every path of a call, from the root. A call without any is judged by the folder it is made in."""
    base = os.path.join(cwd, arguments.get("dir_path") or "")
    # Of a search, the folder where it begins; the text that it looks for is not a path.
    search = arguments.get("pattern" if tool == "glob" else "include") or ""
    named = ["", arguments.get("file_path") or "", re.split(r"[*?\[{]", search)[0]]
    # A command may name what is outside.
    inside = [path for path in command_paths(arguments.get("command") or "", base) if not path.startswith("..")]
    return [*from_root(base, named), *inside]


def command_paths(command, base):
    """Every word, seen from every folder. Quotes and backslashes hide nothing from a shell."""
    plain = re.sub(r"\$\{?PWD\}?|\$\(pwd\)|~\+", ".", re.sub(r"\\\n|[\"'\\]", "", command))
    words = re.split(r"[\s;|&<>()$`=,:{}@]+", plain)
    for folder in folders_in([word for word in words if word not in ("--", "-P", "-L")], base):
        for word in dict.fromkeys(words):
            yield from from_root(folder, spelled_out(folder, word))


def spelled_out(folder, word):
    """The word, and what a shell makes of its `*`."""
    return [word, *(glob.iglob(os.path.join(folder, word)) if re.search(r"[*?\[]", word) else [])]


def folders_in(words, base):
    """The folder of the call, and wherever a change of folder leads, after any of those before it."""
    folders = {base}
    for before, after in zip(words, words[1:]):
        if before in ("cd", "pushd", "-C", "--chdir"):
            paths = [os.path.join(folder, after) for folder in folders]
            folders.update(map(os.path.normpath, paths), map(os.path.realpath, paths))
        if len(folders) > 50:
            raise ValueError("the command changes its folder too often to be followed")
    return folders


def from_root(base, paths):
    """File tools take `..` out before they follow links, a shell follows links first: both ways count."""
    full = [os.path.join(base, path) for path in paths]
    return [os.path.relpath(way, ROOT) for path in full for way in {real(path), real(os.path.normpath(path))}]


@functools.lru_cache(maxsize=None)
def real(path):
    """os.path.realpath, which is slow for the thousands of words that a long command may have."""
    folder, name = os.path.split(path)
    if name in ("", ".", "..") or os.path.islink(path):
        return os.path.realpath(path)
    return os.path.join(real(folder), name)


def folded(path):
    return unicodedata.normalize("NFC", path).casefold()  # where case does not count, DOCS is docs


def fitting(pattern):
    """`a/**` fits `a` and all that is below it; nothing fits what is outside of the project."""
    expression = re.escape(folded(pattern)).replace(r"/\*\*", r"(/.*)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return lambda path: not path.startswith("..") and re.fullmatch(expression, folded(path), re.DOTALL) is not None


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


ROWS = [(pattern, fitting(pattern), tools) for pattern, tools in TABLE]
serve({"BeforeTool": before_tool})
