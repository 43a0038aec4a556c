"""Says for each folder which tools may be used there. The table stands here: trust covers this script."""

import os
import re
import unicodedata

from hookline_worker import serve

LOOK = {"read_file", "list_directory", "glob", "grep_search"}
EDIT = {"write_file", "replace"}

# The first row that fits a path decides. `*` stays inside of a name, `**` does not. What no row fits is not allowed.
TABLE = [
    ("secrets/**", set()),
    ("vendor/**", LOOK),
    ("docs/**/*.md", LOOK | EDIT),
    ("docs/**", LOOK),
    ("**", LOOK | EDIT | {"run_shell_command"}),
]
ROOT = os.path.realpath(os.environ["HOOKLINE_PROJECT_DIR"])


def before_tool(event):
    tool, arguments = event["tool_name"], event["tool_input"]
    for path in paths_in(arguments, event["cwd"]):
        pattern, tools = next(((glob, tools) for glob, fits, tools in ROWS if fits(path)), ("no row", set()))
        if tool not in tools:
            allowed = ", ".join(sorted(tools)) or "none"
            return {"decision": "deny", "reason": f"{tool} is not allowed in {path} ({pattern}). Allowed: {allowed}."}
    return None


def paths_in(arguments, cwd):
    """Every path of a call, from the root. A call without any is judged by the folder it is made in."""
    base = os.path.join(cwd, arguments.get("dir_path") or "")
    # Of a pattern, where it begins to search.
    named = ["", arguments.get("file_path") or "", re.split(r"[*?\[{]", arguments.get("pattern") or "")[0]]
    # Of a command, all its words: quotes and backslashes hide nothing from a shell. It may name what is outside.
    words = re.split(r"[\s;|&<>()$`=,:{}@]+", re.sub(r"[\"'\\]", "", arguments.get("command") or ""))
    inside = [path for path in from_root(base, words) if not path.startswith("..")]
    return [*from_root(base, named), *inside]


def from_root(base, paths):
    """File tools take `..` out before they follow links, a shell follows links first: both ways count."""
    full = [os.path.join(base, path) for path in paths]
    return [os.path.relpath(os.path.realpath(way), ROOT) for path in full for way in (path, os.path.normpath(path))]


def folded(path):
    return unicodedata.normalize("NFC", path).casefold()  # where case does not count, DOCS is docs


def fitting(glob):
    """`a/**` fits `a` and all that is below it; nothing fits what is outside of the project."""
    expression = re.escape(folded(glob)).replace(r"/\*\*", r"(/.*)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return lambda path: not path.startswith("..") and re.fullmatch(expression, folded(path), re.DOTALL) is not None


ROWS = [(glob, fitting(glob), tools) for glob, tools in TABLE]
serve({"BeforeTool": before_tool})
