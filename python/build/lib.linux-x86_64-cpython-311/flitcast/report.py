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
    """What a plot has, whoever made it."""

    _plot: Any

    def svg(self) -> str:
        """The plot as an SVG document, readable in print and on a dark page."""
        return written(lambda stream: lib.fc_plot_write_svg(self._plot, stream))

    def gnuplot(self) -> str:
        """A gnuplot script with its data inline."""
        return written(lambda stream: lib.fc_plot_write_gnuplot(self._plot, stream))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG document into a file."""
        _save(path, self.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        settings = ffi.new("fc_write_settings *", lib.fc_write_settings_default())
        return written(lambda stream: lib.fc_plot_write_terminal(self._plot, settings, stream))


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
        check(
            lib.fc_plot_add_series(
                self._plot, encode(label, "a label"), self._styles[style],
                ffi.new("double[]", across), ffi.new("double[]", up),
                ffi.NULL if bars is None else ffi.new("double[]", bars), len(across),
            )
        )
        return self

    def marker(self, label: str, x: float) -> Plot:
        """Adds a dashed vertical line, for example the saturation load."""
        check(lib.fc_plot_add_marker(self._plot, encode(label, "a label"), float(x)))
        return self

    def log(self, x: bool = False, y: bool = False) -> Plot:
        """Makes axes logarithmic."""
        lib.fc_plot_set_log(self._plot, bool(x), bool(y))
        return self

    def y_limit(self, limit: float) -> Plot:
        """Ends the y axis there even if values are larger, as a latency near saturation is."""
        lib.fc_plot_set_y_limit(self._plot, float(limit))
        return self


class _ReportPlot(_Picture):
    def __init__(self, plot: Any, owner: Any) -> None:
        self._plot = plot
        self._owner = owner  # frees it


class Report(Written):
    """Paragraphs, tables, plots and checked claims: what the command line prints, or a page."""

    def __init__(self, report: Any) -> None:
        if report == ffi.NULL:
            raise OutOfMemoryError("out of memory")
        self._report = ffi.gc(report, lib.fc_report_free)

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_report_write(self._report, settings, stream))

    def html(self) -> str:
        """One page that holds everything, with its plots as SVG."""
        return written(lambda stream: lib.fc_report_write_html(self._report, stream))

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file."""
        _save(path, self.html())

    @property
    def plots(self) -> Sequence[_Picture]:
        count = lib.fc_report_plot_count(self._report)
        return [_ReportPlot(lib.fc_report_plot(self._report, i), self._report)
                for i in range(count)]

    @property
    def claims(self) -> int:
        """Statements of a paper that were checked."""
        return int(lib.fc_report_claim_count(self._report))

    @property
    def claims_failed(self) -> int:
        """Those of them that do not hold."""
        return int(lib.fc_report_claims_failed(self._report))

    def _repr_html_(self) -> str:
        return embedded(self.html())
