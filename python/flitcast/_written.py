"""What the results of all studies have in common: text, JSON, CSV, pages, data frames."""

from __future__ import annotations

import html
import json
import os
import shutil
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from ._native import ffi, lib
from ._text import written
from .errors import UnsupportedError

if TYPE_CHECKING:
    from .report import Page

Kind = TypeVar("Kind", bound="Written")
Frame = Any  # pandas.DataFrame, where pandas is installed


def frame(records: list[dict[str, Any]], index: str | None = None) -> Frame:
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        raise UnsupportedError(
            "data frames need pandas, which is not installed (on Debian: apt install "
            "python3-pandas); to_dict() and records() give the same without it"
        ) from None
    made = pandas.DataFrame.from_records(records)
    return made.set_index(index) if index and len(made) else made


def embedded(page: str) -> str:
    """A whole page inside another one, such as a notebook, that neither disturbs the other."""
    grow = "this.style.height=(this.contentDocument.documentElement.scrollHeight+4)+'px'"
    return (f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:30rem;border:0" '
            f'onload="{grow}"></iframe>')


class Written:
    """Something that the library can write as text, JSON and CSV."""

    @abstractmethod
    def _write(self, settings: Any, stream: Any) -> int:
        """Writes as the library does; returns its status."""

    def _format(self, form: int, detail: bool = False) -> str:
        settings = ffi.new("fc_write_settings *", lib.fc_write_settings_default())
        settings.format = form
        settings.detail = detail
        settings.width = max(shutil.get_terminal_size().columns, 40)
        return written(lambda stream: self._write(settings, stream))

    def __str__(self) -> str:
        return self._format(lib.FC_FORMAT_TEXT).rstrip("\n")

    def to_json(self, detail: bool = False) -> str:
        """The JSON that the command line prints; with `detail`, tables by node and channel too."""
        return self._format(lib.FC_FORMAT_JSON, detail)

    def __copy__(self: Kind) -> Kind:
        return self  # it never changes

    def __deepcopy__(self: Kind, memo: Any) -> Kind:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled; its to_dict() and to_json() can")

    def to_csv(self) -> str:
        """CSV with a header line."""
        return self._format(lib.FC_FORMAT_CSV)

    def to_dict(self, detail: bool = False) -> dict[str, Any]:
        """The same as to_json(), as Python's dicts, lists and numbers."""
        found: dict[str, Any] = json.loads(self.to_json(detail))
        return found


class Reported(Written):
    """Something that the library also makes a page of."""

    def report(self) -> Page:
        """The page that --report of the command line writes."""
        from .report import Page

        return Page(self._format(lib.FC_FORMAT_HTML))

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file: one file that holds everything."""
        self.report().save_html(path)

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()
