"""What a model or a simulation found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import ffi, lib
from ._text import c_text
from ._written import Frame, Reported, frame
from .errors import check, decode, new_error
from .report import Report

if TYPE_CHECKING:
    from .scenario import Scenario


class Physical(NamedTuple):
    """A value in ns, GB/s or bytes."""

    value: float
    unit: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.6g} {self.unit}"


class Metric(NamedTuple):
    """A value with its unit; the half width of its 95 % interval if it was simulated; what the model
    alone says if it was calibrated; what it is physically if the scenario has network.clock_ghz
    and network.flit_bytes."""

    name: str
    value: float
    unit: str
    half_width: float | None = None
    uncalibrated: float | None = None
    physical: Physical | None = None

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        width = "" if self.half_width is None else f" +- {self.half_width:.3g}"
        return f"{self.value:.6g}{width} {self.unit}".rstrip()


class RunInfo(NamedTuple):
    """How a result was obtained."""

    iterations: int  # models: of the fixed point
    residual: float  # models: at the last iterate
    seconds: float
    cpu_seconds: float
    cycles: float  # simulated, all replications, warm-up included
    warmup_cycles: float
    events: int
    replications: int
    seed: int


class Table:
    """Details of a result: a row per node, channel or queue."""

    def __init__(self, table: Any, owner: Any) -> None:
        self._table = table
        self._owner = owner  # frees it
        self.name: str = decode(table.name)
        self.columns: list[str] = [decode(table.column_names[i]) for i in range(table.columns)]

    def __len__(self) -> int:
        return int(self._table.rows)

    @property
    def labels(self) -> list[str]:
        """What each row is of."""
        return [decode(self._table.row_labels[i]) for i in range(self._table.rows)]

    @property
    def values(self) -> list[list[float]]:
        """Row by row."""
        width, flat = len(self.columns), self._flat()
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    def _flat(self) -> list[float]:
        count = self._table.rows * self._table.columns
        return list(ffi.unpack(self._table.values, count)) if count else []

    def to_numpy(self) -> Any:
        """Rows x columns, as an array of NumPy."""
        import numpy

        return numpy.array(self._flat()).reshape(len(self), len(self.columns))

    def to_frame(self) -> Frame:
        """A data frame with the rows' labels as its index."""
        rows = zip(self.labels, self.values)
        return frame([{self.name: label, **dict(zip(self.columns, row))} for label, row in rows],
                     self.name)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"


def _restored(text: str, scenario: Scenario | None) -> Result:
    error, made = new_error(), ffi.new("fc_result **")
    check(lib.fc_result_read(c_text(text), error, made), error)
    return Result(made[0], scenario)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def physical(units: Any, unit: Any, value: float) -> Physical | None:
    """units: an fc_units; unit: as C's text."""
    found = ffi.new("fc_physical *")
    if not lib.fc_physical_of(ffi.addressof(units), unit, found):
        return None
    return Physical(value * found.factor, decode(found.unit))


def _physical_of(units: Any, metric: Any) -> Physical | None:
    found = ffi.new("fc_physical *")
    if not lib.fc_metric_physical(ffi.addressof(units), metric, found):
        return None
    return Physical(metric.value * found.factor, decode(found.unit))


def _metrics(array: Any, count: int, units: Any) -> dict[str, Metric]:
    found = {}
    for i in range(count):
        m = array[i]
        name = decode(m.name)
        found[name] = Metric(name, m.value, decode(m.unit), _known(m.half_width),
                             _known(m.uncalibrated), _physical_of(units, array + i))
    return found


class Result(Reported, Mapping[str, Metric]):
    """Metrics by name (result["latency"] or result.latency), what the main one is made of, tables by
    node and channel, and how they were obtained."""

    def __init__(self, result: Any, scenario: Scenario | None, owner: Any = None) -> None:
        self._result = result if owner is not None else ffi.gc(result, lib.fc_result_free)
        self._owner = owner  # frees it, unless it is its own
        self._scenario = scenario
        self._found: dict[str, Metric] | None = None

    # ---- metrics ----

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by name."""
        if self._found is None:
            self._found = _metrics(self._result.metrics, self._result.metric_count,
                                   self._result.units)
        return self._found

    @property
    def classes(self) -> dict[str, dict[str, Metric]]:
        """Of each class of messages (traffic.classes) its metrics: result.classes["reply"]["latency"]."""
        found: dict[str, dict[str, Metric]] = {}
        for name, metric in self.metrics.items():
            of, _, own = name.partition(".")
            if own:
                found.setdefault(of, {})[own] = metric
        return found

    def __getitem__(self, name: str) -> Metric:
        try:
            return self.metrics[name]
        except KeyError:
            raise KeyError(self._without(name)) from None

    def __getattr__(self, name: str) -> Metric:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.metrics[name]
        except KeyError:
            raise AttributeError(self._without(name)) from None

    def _without(self, name: str) -> str:
        why = f" ({self.outcome})" if self.outcome != "ok" else ""
        return f"this result{why} has no metric {name!r}; it has: {', '.join(self.metrics)}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return int(self._result.metric_count)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.metrics]

    # Two results are equal if they say the same, whatever time it took.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self is other or self._said() == other._said()

    def __hash__(self) -> int:
        return hash((self.scenario_hash, self.method, self.outcome, self.run.seed))

    def _said(self) -> dict[str, Any]:
        said = self.to_dict(detail=True)
        for key in ("seconds", "cpu_seconds"):
            said["run"].pop(key, None)
        return said

    def __reduce__(self) -> Any:
        return _restored, (self.to_json(detail=True), self._scenario)

    # ---- the rest ----

    @property
    def outcome(self) -> str:
        """"ok", "saturated" or "not-converged"."""
        return decode(lib.fc_outcome_name(self._result.outcome))

    @property
    def method(self) -> str:
        """The name of the model or simulator."""
        return decode(self._result.method)

    @property
    def kind(self) -> str:
        """"model" or "simulator"."""
        return "model" if self._result.kind == lib.FC_MODEL else "simulator"

    @property
    def note(self) -> str:
        """A sentence: why it saturated, what was not reached. May be empty."""
        return decode(self._result.note)

    @property
    def scenario_name(self) -> str:
        """The name of the scenario that it answers."""
        return decode(self._result.scenario_name)

    @property
    def scenario_hash(self) -> str:
        """The hash of the scenario that it answers."""
        return decode(self._result.scenario_hash)

    @property
    def parts(self) -> dict[str, Metric]:
        """What the main metric is made of: they add up to it."""
        return _metrics(self._result.parts, self._result.part_count, self._result.units)

    @property
    def tables(self) -> dict[str, Table]:
        """Details by node, channel or queue."""
        made = [Table(self._result.tables[i], self._result)
                for i in range(self._result.table_count)]
        return {table.name: table for table in made}

    @property
    def run(self) -> RunInfo:
        """How it was obtained: time, cycles, seed."""
        run = self._result.run
        return RunInfo(*(getattr(run, field) for field in RunInfo._fields))

    @property
    def calibrated(self) -> bool:
        """Whether the model's values were corrected by its errors in simulated networks; each
        metric that was has the model's own value as `uncalibrated`."""
        return bool(self._result.calibrated)

    @property
    def flags(self) -> list[str]:
        """What is to be minded about a forecast: "extrapolated", "wide", "above-saturation",
        "not-converged", "not-validated"."""
        return [decode(lib.fc_flag_name(1 << i)) for i in range(lib.FC_FLAGS)
                if self._result.flags >> i & 1]

    @property
    def validated(self) -> bool:
        """Whether networks like this one were compared with simulations."""
        return "not-validated" not in self.flags

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between which values a simulation would find the main metric with 90 %; the upper one is
        infinite if the network may be saturated. None: not known."""
        low, high = ffi.new("double *"), ffi.new("double *")
        return (low[0], high[0]) if lib.fc_result_interval(self._result, low, high) else None

    @property
    def accuracy(self) -> str:
        """Models without a correction: how accurate they were measured to be, as a sentence; else
        empty, or why nothing like this was simulated."""
        accuracy = self._result.accuracy
        if self.kind != "model" or not (accuracy.known or decode(accuracy.reason)):
            return ""
        text = ffi.new("char[]", lib.FC_ACCURACY_SIZE)
        lib.fc_accuracy_text(ffi.addressof(self._result, "accuracy"), text)
        return decode(text)

    def to_frame(self) -> Frame:
        """A data frame of the metrics: value, half_width, unit."""
        return frame([metric._asdict() for metric in self.metrics.values()], "name")

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_result_write(self._result, settings, stream))

    def report(self) -> Report:
        """A page: the metrics, what the main one is made of, details by node."""
        made = Report(lib.fc_report_create(self._result.scenario_name))
        page = made._report
        lib.fc_report_add_text(page, b"%s", c_text(self._origin()))
        self._add_metrics(page, b"", self.metrics)
        if self.parts:
            self._add_metrics(page, b"What it is made of", self.parts)
        for table in self.tables.values():
            if len(table) <= 64:
                self._add_table(page, table)
        return made

    def _origin(self) -> str:
        accuracy = f" Measured accuracy: {self.accuracy}." if self.accuracy else ""
        return f"By {self.method}: {self.outcome}. {self.note}{accuracy}"

    @staticmethod
    def _add_metrics(page: Any, title: bytes, metrics: Mapping[str, Metric]) -> None:
        names = [ffi.new("char[]", text) for text in (b"metric", b"value", b"unit")]
        lib.fc_report_add_table(page, title, ffi.new("char *[]", names), len(names))
        for metric in metrics.values():
            kept = c_text(metric.name), c_text(metric.unit)
            value = {"kind": lib.FC_CELL_NUMBER, "value": metric.value, "digits": 5}
            if metric.half_width is not None:
                value = {"kind": lib.FC_CELL_INTERVAL, "value": metric.value,
                         "half_width": metric.half_width}
            row = [{"kind": lib.FC_CELL_TEXT, "text": kept[0]}, value,
                   {"kind": lib.FC_CELL_TEXT, "text": kept[1]}]
            lib.fc_report_add_row(page, ffi.new("fc_cell[]", row), len(row))

    @staticmethod
    def _add_table(page: Any, table: Table) -> None:
        names = [c_text(text) for text in (table.name, *table.columns)]
        lib.fc_report_add_table(page, c_text(table.name), ffi.new("char *[]", names), len(names))
        for label, row in zip(table.labels, table.values):
            kept = c_text(label)
            cells = [{"kind": lib.FC_CELL_TEXT, "text": kept}]
            cells += [{"kind": lib.FC_CELL_NUMBER, "value": value, "digits": 4} for value in row]
            lib.fc_report_add_row(page, ffi.new("fc_cell[]", cells), len(cells))

    def __repr__(self) -> str:
        shown = [f", {name} {self.metrics[name]}"
                 for name in (decode(self._result.main_metric), "throughput")
                 if name in self.metrics]
        return f"<Result of {self.method}: {self.outcome}{''.join(shown[:1])}>"
