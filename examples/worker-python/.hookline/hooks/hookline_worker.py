"""Answers hookline's hook events from a Python process that stays warm.

    from hookline_worker import serve

    def before_tool(event, call):
        if event["tool_name"] == "run_shell_command":
            return {"decision": "deny", "reason": "no shell today"}

    serve({"BeforeTool": before_tool})

Copy this file beside your hook; it needs nothing but Python 3.8 or newer. A function gets the event's input and,
if it takes a second parameter, the call: `call.event` is the event's name, and `call.cancelled` turns true when
nobody waits for the answer any more. Long work should look at it now and then and return: a worker that goes on
for a second after a cancel is ended and started anew.

What is printed goes to standard error, since standard output belongs to the answers.
"""

import inspect
import json
import os
import sys
import threading
import traceback

__all__ = ["Call", "serve"]

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_MOST_SPARE_THREADS = 4


class Call:
    """One request that is being answered."""

    __slots__ = ("event", "cancelled")

    def __init__(self, event):
        self.event = event
        self.cancelled = False


def serve(hooks):
    """Answers until the input ends. `hooks`: a function for every event, or a dict from event names to functions."""
    table = hooks if isinstance(hooks, dict) else {}
    default = _no_answer if isinstance(hooks, dict) else _with_call(hooks)
    _Server({event: _with_call(hook) for event, hook in table.items()}, default).take_turns(is_main=True)


class _Server:
    """Threads take turns at reading: whoever reads a request answers it, and the next one reads on.

    So there is always somebody to read a cancel, and no request is handed from one thread to another.
    """

    def __init__(self, hooks, default):
        self._hooks = hooks
        self._default = default
        self._open = {}
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._writing = threading.Lock()
        self._free = 1
        self._requests = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
        self._answers = os.dup(1)
        os.dup2(2, 1)  # what libraries and child processes print must not pass for an answer
        sys.stdout = sys.stderr

    def take_turns(self, is_main=False):
        while True:
            with self._turn:
                request = self._next_request()
                if request is None:
                    return
                self._leave_a_reader()
            self._answer(request)
            with self._counting:
                if self._free >= _MOST_SPARE_THREADS and not is_main:
                    return
                self._free += 1

    def _next_request(self):
        for line in iter(self._requests.readline, b""):
            message = json.loads(line)
            if "cancel" in message:
                call = self._open.get(message["cancel"])
                if call is not None:
                    call.cancelled = True
            elif "id" in message:
                call = self._open[message["id"]] = Call(message.get("event"))
                return message["id"], message.get("input"), call
        return None

    def _leave_a_reader(self):
        with self._counting:
            self._free -= 1
            if self._free > 0:
                return
            self._free += 1
        threading.Thread(target=self.take_turns, daemon=True).start()

    def _answer(self, request):
        id_, input_, call = request
        try:
            output = self._hooks.get(call.event, self._default)(input_, call)
            line = '{"id":%d,"output":%s}\n' % (id_, _encode(output))
        except BaseException as error:  # also SystemExit: one bad event must not end the worker
            traceback.print_exc()
            message = "%s: %s" % (type(error).__name__, error)
            line = '{"id":%d,"error":{"message":%s}}\n' % (id_, _encode(message))
        self._open.pop(id_, None)
        self._write(line.encode())

    def _write(self, line):
        with self._writing:
            while line:
                line = line[os.write(self._answers, line) :]


def _no_answer(_input, _call):
    return None


def _with_call(hook):
    """Lets a hook leave out the call."""
    try:
        inspect.signature(hook).bind(None, None)
        return hook
    except TypeError:
        return lambda input_, _call: hook(input_)
