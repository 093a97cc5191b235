"""Pages and pictures: the library's reports and plots."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from ._native import ffi, lib
from ._text import encode, written
from ._written import Written, embedded
from .errors import InputError, OutOfMemoryError, check


def _save(path: str | os.PathLike[str], text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


class _Picture:
    """What a picture has, whoever made it."""

    def _write(self, settings: Any, stream: Any) -> int:
        """Writes as the library does; returns its status."""
        raise NotImplementedError

    def _format(self, form: int) -> str:
        settings = ffi.new("fc_write_settings *")
        settings.format = form
        return written(lambda stream: self._write(settings, stream))

    def svg(self) -> str:
        """The picture as an SVG document, readable in print and on a dark page."""
        return self._format(lib.FC_FORMAT_SVG)

    def gnuplot(self) -> str:
        """A gnuplot script with its data inline; of plots alone."""
        return self._format(lib.FC_FORMAT_GNUPLOT)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG document into a file."""
        _save(path, self.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._format(lib.FC_FORMAT_TEXT)


class Plot(_Picture):
    """Series over common axes, drawn by the library: nothing else need be installed.

    >>> plot = Plot("squares", "x", "y").add("x * x", [1, 2, 3], [1, 4, 9])
    >>> plot.svg()[:5]
    '<?xml'
    """

    _styles = {
        "line": lib.FC_STYLE_LINE,
        "points": lib.FC_STYLE_POINTS,
        "line-points": lib.FC_STYLE_LINE_POINTS,
    }

    def __init__(self, title: str, x_label: str, y_label: str) -> None:
        made = lib.fc_plot_create(
            encode(title, "a title"), encode(x_label, "a label"), encode(y_label, "a label")
        )
        if made == ffi.NULL:
            raise OutOfMemoryError("out of memory")
        self._plot = ffi.gc(made, lib.fc_plot_free)

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_plot_write(self._plot, settings, stream))

    @classmethod
    def _of(cls, plot: Any) -> Plot:
        made = cls.__new__(cls)
        made._plot = plot
        return made

    def add(
        self,
        label: str,
        x: Iterable[float],
        y: Iterable[float],
        half_widths: Iterable[float] | None = None,
        style: str = "line-points",
    ) -> Plot:
        """Adds a series; values of y that are not finite are gaps. style: "line", "points" or
        "line-points". half_widths: of error bars."""
        if style not in self._styles:
            raise InputError(f"style is {style!r}; expected one of: {', '.join(self._styles)}")
        across, up = [float(v) for v in x], [float(v) for v in y]
        bars = None if half_widths is None else [float(v) for v in half_widths]
        if len(across) != len(up) or (bars is not None and len(bars) != len(up)):
            raise InputError("a series has as many values of y (and half widths) as of x")
        kept = (ffi.new("char[]", encode(label, "a label")), ffi.new("double[]", across),
                ffi.new("double[]", up),
                ffi.NULL if bars is None else ffi.new("double[]", bars))
        series = ffi.new("fc_series *", {
            "label": kept[0], "style": self._styles[style], "x": kept[1], "y": kept[2],
            "half_widths": kept[3], "count": len(across)})
        check(lib.fc_plot_add_series(self._plot, series))
        return self

    def marker(self, label: str, x: float) -> Plot:
        """Adds a dashed vertical line, for example the saturation load."""
        check(lib.fc_plot_add_marker(self._plot, encode(label, "a label"), float(x)))
        return self

    def log(self, x: bool = False, y: bool = False) -> Plot:
        """Makes axes logarithmic."""
        look = lib.fc_plot_look_of(self._plot)
        look.log_x, look.log_y = bool(x), bool(y)
        return self

    def y_limit(self, limit: float) -> Plot:
        """Ends the y axis there even if values are larger, as a latency near saturation is."""
        lib.fc_plot_look_of(self._plot).y_limit = float(limit)
        return self


class _ReportPicture(_Picture):
    def __init__(self, report: Any, index: int) -> None:
        self._report = report
        self._index = index

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_report_write_picture(self._report, self._index, settings, stream))


class Page:
    """One page that holds everything, with its pictures as SVG."""

    def __init__(self, html: str) -> None:
        self._html = html

    def html(self) -> str:
        """The page as text."""
        return self._html

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file."""
        _save(path, self.html())

    def _repr_html_(self) -> str:
        return embedded(self.html())


class Report(Written, Page):
    """Paragraphs, tables, plots and checked claims: what the command line prints, or a page."""

    def __init__(self, report: Any) -> None:
        if report == ffi.NULL:
            raise OutOfMemoryError("out of memory")
        self._report = ffi.gc(report, lib.fc_report_free)

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_report_write(self._report, settings, stream))

    def html(self) -> str:
        return self._format(lib.FC_FORMAT_HTML)

    @property
    def plots(self) -> Sequence[_Picture]:
        """Its pictures: plots, then maps."""
        return [_ReportPicture(self._report, i)
                for i in range(lib.fc_report_picture_count(self._report))]

    def _checked(self) -> tuple[int, int]:
        failed = ffi.new("size_t *")
        return int(lib.fc_report_claims(self._report, failed)), int(failed[0])

    @property
    def claims(self) -> int:
        """Statements of a paper that were checked."""
        return self._checked()[0]

    @property
    def claims_failed(self) -> int:
        """Those of them that do not hold."""
        return self._checked()[1]
