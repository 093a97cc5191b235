"""What can go wrong, by kind. Every exception carries the sentence that the command line prints."""

from __future__ import annotations

from typing import Any

from ._native import ffi, lib


class Error(Exception):
    """Any failure that the library reports."""


class InputError(Error, ValueError):
    """A scenario, key, value or argument that is not valid."""


class UnsupportedError(Error):
    """A valid scenario that this method does not cover."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class OutOfMemoryError(Error, MemoryError):
    """There was not enough memory."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run. `result` holds what was done by then, or None if that is nothing."""

    result: Any

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


_kinds: dict[int, type[Error]] = {
    lib.FC_ERROR_MEMORY: OutOfMemoryError,
    lib.FC_ERROR_ARGUMENT: InputError,
    lib.FC_ERROR_INPUT: InputError,
    lib.FC_ERROR_FILE: FileError,
    lib.FC_ERROR_UNSUPPORTED: UnsupportedError,
}


def new_error() -> Any:
    return ffi.new("fc_error *")


def sentence(status: int, error: Any = None) -> str:
    text = decode(error.text) if error is not None else ""
    return text or decode(lib.fc_status_text(status))


def check(status: int, error: Any = None) -> None:
    """Raises the exception of a status that is not FC_OK."""
    if status != lib.FC_OK:
        raise _kinds.get(status, Error)(sentence(status, error))


def decode(text: Any) -> str:
    """A C text; bytes that are not UTF-8 (of a file's name, say) are kept as surrogates."""
    if text == ffi.NULL:
        return ""
    found: bytes = ffi.string(text)
    return found.decode("utf-8", "surrogateescape")
