"""Texts in and out of the library: C strings, YAML values, whatever it writes to a stream."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ._native import ffi, lib
from .errors import InputError, OutOfMemoryError, check

Setting = tuple[str, str]


def encode(text: str | os.PathLike[str], what: str) -> bytes:
    """A C string. What it is for is named if it cannot be one."""
    if isinstance(text, os.PathLike):
        text = os.fspath(text)
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a text, not {type(text).__name__}")
    if "\0" in text:
        raise InputError(f"{what} holds a zero character")
    return text.encode("utf-8", "surrogateescape")


def c_text(text: str | os.PathLike[str], what: str = "a text") -> Any:
    """The same as an object of C, to be kept while the library may look at it."""
    return ffi.new("char[]", encode(text, what))


def c_text_or_null(text: str | None, what: str) -> Any:
    return ffi.NULL if text is None else c_text(text, what)


def written(write: Callable[[Any], Any]) -> str:
    """What `write` puts into the stream that it is given."""
    text, length = ffi.new("char **"), ffi.new("size_t *")
    stream = lib.open_memstream(text, length)
    if stream == ffi.NULL:
        raise OutOfMemoryError("out of memory")
    closed = -1
    try:
        try:
            check(write(stream))
        finally:
            closed = lib.fclose(stream)
        if closed != 0:
            raise OutOfMemoryError("out of memory")
        found: bytes = ffi.buffer(text[0], length[0])[:]
        return found.decode("utf-8", "surrogateescape")
    finally:
        lib.free(text[0])


def yaml(value: Any) -> str:
    """A Python value as YAML on one line. NumPy's numbers and arrays are taken as Python's."""
    if type(value) is float and math.isfinite(value):
        return repr(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return "infinite" if value == math.inf else repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{yaml(str(k))}: {yaml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(yaml(each) for each in value) + "]"
    raise InputError(f"{value!r} is not a value of a scenario: expected a number, a text, a list or "
                     "a mapping")


def number_or_text(text: str) -> Any:
    """A value that the library wrote as YAML: a number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def settings_of(given: Mapping[str, Any], keywords: Mapping[str, Any]) -> Iterator[Setting]:
    """Keys and YAML values: {"traffic": {"rate": 1}}, {"traffic.rate": 1} or traffic__rate=1."""
    if not isinstance(given, Mapping):
        raise TypeError(f"settings must be a mapping of keys to values, not {type(given).__name__}")
    for key, value in [*given.items(), *((k.replace("__", "."), v) for k, v in keywords.items())]:
        if not isinstance(key, str):
            raise TypeError(f"a key must be a text, not {key!r}")
        if isinstance(value, Mapping) and "." not in key:
            for inner, each in value.items():
                yield f"{key}.{inner}", yaml(each)
        else:
            yield key, yaml(value)


class Settings:
    """An array of fc_setting, and the memory that it points to."""

    def __init__(self, settings: Iterable[Setting]) -> None:
        listed = list(settings)
        self.count = len(listed)
        self.array = ffi.new("fc_setting[]", self.count)
        self._kept = []
        for slot, (key, value) in zip(self.array, listed):
            pair = c_text(key, "a key"), c_text(value, f"the value of {key}")
            self._kept.append(pair)
            slot.key, slot.value = pair


class Names:
    """An array of C strings, and the memory that it points to."""

    def __init__(self, names: Iterable[str], what: str) -> None:
        self._kept = [c_text(name, what) for name in names]
        self.count = len(self._kept)
        self.array = ffi.new("char *[]", self._kept)
