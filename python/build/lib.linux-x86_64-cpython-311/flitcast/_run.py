"""Long calls: progress, Ctrl-C, threads.

The library works in a thread of its own, without Python's lock. The thread that called waits; it
alone shows progress and sees Ctrl-C, and then asks the library to stop and waits for what is done.
Nothing in the library's threads needs Python, so that the interpreter may end at any moment.
"""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable
from typing import Any, Union

from ._native import ffi, lib
from .errors import Interrupted, check, decode, new_error, sentence

Progress = Union[bool, None, Callable[[float, str], object]]

_interval = 0.2  # seconds between two looks at the progress
_running: set[_Run] = set()


class _Run:
    def __init__(self, threads: int) -> None:
        self.note = ffi.gc(lib.run_note_create(), lib.run_note_free)
        self.what = ffi.new("char[96]")
        self.settings = ffi.new("fc_run_settings *", lib.fc_run_settings_default())
        self.settings.threads = threads
        self.settings.progress = ffi.addressof(lib, "run_note_leave")
        self.settings.progress_context = self.note
        self.settings.cancel = ffi.addressof(self.note, "cancel")
        self.error = new_error()
        self.status = lib.FC_OK
        self.failure: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()

    def work(self, call: Callable[[Any, Any], int]) -> None:
        try:
            self.status = call(self.settings, self.error)
        except BaseException as failure:  # of the arguments: raised again by who waits
            self.failure = failure
        finally:
            _running.discard(self)
            self.done.release()

    def cancel(self) -> None:
        self.note.cancel = 1

    def progress(self) -> tuple[float, str]:
        share = lib.run_note_read(self.note, self.what)
        return share, decode(self.what)


@atexit.register
def _stop_all() -> None:
    """Threads that are still simulating (of the kind that does not hold up the end) stop early."""
    for run in list(_running):
        run.cancel()
    for run in list(_running):
        run.done.acquire(timeout=10)


def call(
    function: Callable[[Any, Any], int],
    collect: Callable[[], Any],
    *,
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Calls function(settings, error) and returns collect(), or raises.

    Whatever the waiting thread is interrupted by (Ctrl-C, an exception of a progress function) stops
    the run at its next safe point; after Ctrl-C what was done is in the exception."""
    run = _Run(threads)
    show = _viewer(progress)
    thread = threading.Thread(target=run.work, args=(function,), daemon=True)
    stopped: BaseException | None = None
    started = False
    while True:
        try:
            if not started:
                _running.add(run)
                started = True
                thread.start()
            if stopped or show is None:
                run.done.acquire()
                break
            if run.done.acquire(timeout=_interval):
                break
            show(*run.progress())
        except BaseException as problem:
            run.cancel()
            stopped = stopped or problem
            if thread.ident is None:  # it could not be started
                _running.discard(run)
                break
    if isinstance(show, _Display):
        show.clear()
    if stopped is None:
        if run.failure:
            raise run.failure
        check(run.status, run.error)
        return collect()
    if isinstance(stopped, KeyboardInterrupt):
        done = run.status == lib.FC_OK and run.failure is None and thread.ident is not None
        raise Interrupted(
            "stopped; what was done is in the exception's 'result'"
            if done else sentence(lib.FC_ERROR_CANCELLED, run.error),
            collect() if done else None,
        ) from None
    raise stopped


# ---- showing progress ----


class _Display:
    """A line that is written again and again, on a terminal or in a notebook."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._shown = False

    def __call__(self, done: float, what: str) -> None:
        text = f"{100 * done:3.0f} %  {what}"
        if _in_notebook():
            display = sys.modules["IPython"].display
            if self._handle is None:
                self._handle = display.display({"text/plain": text}, raw=True, display_id=True)
            else:
                self._handle.update({"text/plain": text}, raw=True)
        else:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)
        elif self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _in_notebook() -> bool:
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _viewer(progress: Progress) -> Callable[[float, str], object] | None:
    if callable(progress):
        return progress
    if progress is None:
        progress = _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if not isinstance(progress, bool):
        raise TypeError("progress must be True, False, None (where it can be seen) or a function of "
                        "the share done and what is being done")
    return _Display() if progress else None
