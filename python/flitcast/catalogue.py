"""What the library knows: models, simulators, keys of scenarios, papers."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _run
from ._native import ffi, lib
from ._run import Progress
from ._text import c_text_or_null
from .errors import decode
from .report import Report


class Method(NamedTuple):
    """A model or a simulator."""

    name: str
    kind: str
    family: str
    title: str
    source: str
    validity: str
    variant: bool  # a reading kept for comparison: only used when asked for by name


class Key(NamedTuple):
    """A key that scenarios may hold."""

    path: str
    help: str
    expected: str
    default: str | None  # None: required
    family: str | None  # None: of all families
    only_if: str  # when it applies: "network.switching: scouting"; empty: always


class PaperItem(NamedTuple):
    """A table or figure that can be reproduced: paper("NAME")."""

    name: str
    title: str


def methods() -> list[Method]:
    """All models and simulators."""
    found = []
    for info in (lib.fc_method_at(i) for i in range(lib.fc_method_count())):
        kind = "model" if info.kind == lib.FC_MODEL else "simulator"
        found.append(Method(decode(info.name), kind, decode(info.family), decode(info.title),
                            decode(info.source), decode(info.validity), info.variant))
    return found


def keys() -> list[Key]:
    """Every key that a scenario may hold."""
    found = []
    for info in (lib.fc_key_at(i) for i in range(lib.fc_key_count())):
        found.append(Key(decode(info.path), decode(info.help), decode(info.expected),
                         None if info.fallback == ffi.NULL else decode(info.fallback),
                         decode(info.family) or None, decode(info.only_if)))
    return found


def papers() -> list[PaperItem]:
    """The tables and figures of papers that can be reproduced."""
    found = []
    for p in range(lib.fc_paper_count()):
        name = decode(lib.fc_paper_at(p).name)
        for i in range(lib.fc_paper_item_count(p)):
            item = lib.fc_paper_item_at(p, i)
            found.append(PaperItem(f"{name}/{decode(item.name)}", decode(item.title)))
    return found


def paper(
    name: str, *, precision: float = 0.0, threads: int = 0, progress: Progress = None
) -> Report:
    """Reproduces a paper, or one item of it ("hamacher-jiang/figure-4"), beside its published
    numbers. precision: of the simulations; 0: the item's own."""
    if not isinstance(name, str):
        raise TypeError(f"a paper's name must be a text, not {type(name).__name__}")
    whole, _, item = name.partition("/")
    texts: list[Any] = [c_text_or_null(whole, "a paper's name"),
                        c_text_or_null(item or None, "an item's name")]
    made = ffi.new("fc_report **")
    found: Report = _run.call(
        lambda run, error: lib.fc_paper_run(*texts, precision, run, error, made),
        lambda: Report(made[0]), threads=threads, progress=progress,
    )
    return found


def version() -> str:
    """Of the library."""
    return decode(lib.fc_version())
