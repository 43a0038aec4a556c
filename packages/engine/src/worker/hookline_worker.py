"""Answers hookline's hook events from a Python process that stays warm.

    from hookline_worker import serve

    def before_tool(event, call):
        if event["tool_name"] == "run_shell_command":
            return {"decision": "deny", "reason": "no shell today"}

    serve({"BeforeTool": before_tool})

Copy this file beside your hook; it needs nothing but Python 3.8 or newer. A function gets the event's input and,
if it takes a second parameter, the call: `call.event` is the event's name, and `call.cancelled` turns true when
the answer is no longer awaited. Long work should check it regularly and return: a worker that continues
for a second after a cancel is killed and restarted.

Printed text goes to standard error: standard output is reserved for answers.
"""

import inspect
import json
import os
import sys
import threading
import time
import traceback

__all__ = ["Call", "serve"]

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_TICK_SECONDS = 0.005
_TICKS_BEFORE_REST = 200


class Call:
    """One request in progress."""

    __slots__ = ("event", "cancelled")

    def __init__(self, event):
        self.event = event
        self.cancelled = False


def serve(hooks):
    """Answers until the input ends. `hooks`: a function for every event, or a dict from event names to functions."""
    table = hooks if isinstance(hooks, dict) else {}
    default = _missing(table) if isinstance(hooks, dict) else _with_call(hooks)
    _Server({event: _with_call(hook) for event, hook in table.items()}, default).run()


class _Server:
    """One thread reads a request and answers it, in a plain loop.

    A watchdog checks every few milliseconds whether an answer takes long. If so, it starts another thread that reads on,
    so that a cancel is always read, at no cost for quick requests.
    """

    def __init__(self, hooks, default):
        self._hooks = hooks
        self._default = default
        self._open = {}
        self._writing = threading.Lock()
        self._state = threading.Lock()
        self._duty = object()
        self._busy = False
        self._taken = 0
        self._sentry_rests = False
        self._sentry_wanted = threading.Event()
        self._ended = threading.Event()
        self._requests = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
        self._answers = os.dup(1)
        os.dup2(2, 1)  # output of libraries and child processes must not look like an answer
        sys.stdout = sys.stderr

    def run(self):
        threading.Thread(target=self._watch, daemon=True).start()
        self._be_on_duty()
        self._ended.wait()

    def _be_on_duty(self):
        duty = self._duty
        while True:
            request = self._next_request()
            if request is None:
                self._ended.set()
                return
            with self._state:
                self._taken += 1
                self._busy = True
                rests, self._sentry_rests = self._sentry_rests, False
            if rests:
                self._sentry_wanted.set()
            self._answer(request)
            with self._state:
                if self._duty is not duty:
                    return  # it took long, and another thread reads on
                self._busy = False

    def _watch(self):
        seen, quiet_ticks = 0, 0
        while True:
            time.sleep(_TICK_SECONDS)
            with self._state:
                same = self._taken == seen
                takes_long = same and self._busy
                if takes_long:
                    self._duty, self._busy = object(), False
                quiet_ticks = quiet_ticks + 1 if same and not takes_long else 0
                rests = quiet_ticks > _TICKS_BEFORE_REST
                if rests:
                    self._sentry_rests = True
                    self._sentry_wanted.clear()
                seen = self._taken
            if takes_long:
                threading.Thread(target=self._be_on_duty, daemon=True).start()
            if rests:
                self._sentry_wanted.wait()
                quiet_ticks = 0

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


def _missing(table):
    """A hook on an event without a function fails with an error: it must not look active."""

    def fail(_input, call):
        known = ", ".join(table) or "none"
        raise LookupError("this worker has no function for %s; it has %s" % (call.event, known))

    return fail


def _with_call(hook):
    """Makes the hook's second parameter optional."""
    try:
        inspect.signature(hook).bind(None, None)
        return hook
    except TypeError:
        return lambda input_, _call: hook(input_)
