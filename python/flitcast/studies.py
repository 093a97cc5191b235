"""What the studies found: comparisons, sweeps, saturation loads, optima, explanations."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._native import ffi, lib
from ._text import c_text_or_null, encode, number_or_text, yaml
from ._written import Frame, Reported, Written, frame
from .errors import InputError, check, decode, new_error
from .report import Plot
from .results import Metric, Result, physical

if TYPE_CHECKING:
    from .scenario import Scenario


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


# ---- compare ----


class PredictionError(NamedTuple):
    """How far a model is off: (model - simulation) / simulation; the uncertainty of that comes from
    the simulation's interval."""

    model: str
    metric: str
    relative: float
    uncertainty: float


class Comparison(Reported):
    """Models, the default one first, beside the simulation."""

    def __init__(self, comparison: Any, scenario: Scenario) -> None:
        self._comparison = ffi.gc(comparison, lib.fc_comparison_free)
        self._one = ffi.new("fc_comparison *[]", [self._comparison])
        self._scenario = scenario

    @property
    def results(self) -> list[Result]:
        """The models' results, then the simulation's."""
        return [Result(self._comparison.results[i], None, self._comparison)
                for i in range(self._comparison.result_count)]

    @property
    def models(self) -> dict[str, Result]:
        """The models' results, by name."""
        return {result.method: result for result in self.results if result.kind == "model"}

    @property
    def simulation(self) -> Result:
        """The simulation's result."""
        return self.results[-1]

    @property
    def errors(self) -> list[PredictionError]:
        """Of each model and metric that was simulated."""
        found = self._comparison.errors
        return [PredictionError(decode(found[i].model), decode(found[i].metric), found[i].relative,
                                found[i].uncertainty)
                for i in range(self._comparison.error_count)]

    @property
    def note(self) -> str:
        """Why there is no model to compare with; empty if there is one."""
        return decode(self._comparison.note)

    def error(self, model: str, metric: str | None = None) -> float:
        """The relative error of a model, of the main metric unless another is named."""
        wanted = metric or self._scenario.main_metric
        for each in self.errors:
            if (each.model, each.metric) == (model, wanted):
                return each.relative
        raise KeyError(f"there is no error of {model!r} in {wanted!r}")

    def to_frame(self) -> Frame:
        """A row per method, a column per metric."""
        return frame([{"method": r.method, **{m.name: m.value for m in r.values()}}
                      for r in self.results], "method")

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_comparison_write(self._one, 1, settings, stream))

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(result.method for result in self.results)}>"


# ---- curve ----


class CurvePoint(NamedTuple):
    """A load and what is known there. metrics: with their 95 % half widths; a saturated point has
    the throughput alone. reliable: False beyond the last load that the simulations support."""

    load: float
    outcome: str
    simulated: bool
    asked: bool
    reliable: bool
    model: float | None  # the main metric by the model alone
    metrics: dict[str, Metric]


class Curve(Reported, Sequence[CurvePoint]):
    """Points by growing load, from zero to saturation."""

    def __init__(self, curve: Any) -> None:
        self._curve = ffi.gc(curve, lib.fc_curve_free)
        self._one = ffi.new("fc_curve *[]", [self._curve])  # the library takes several

    @property
    def key(self) -> str:
        """The scenario key that sets the load."""
        return decode(self._curve.key)

    @property
    def model(self) -> str | None:
        """That gave the shape."""
        return decode(self._curve.model) or None

    @property
    def saturation(self) -> float:
        """The load at which it saturates; infinite: it never does; not a number: closed traffic."""
        return float(self._curve.saturation)

    @property
    def bracket(self) -> tuple[float, float]:
        """Loads between which it saturates."""
        return float(self._curve.low), float(self._curve.high)

    @property
    def note(self) -> str:
        """A sentence: why the model was not used, what was not reached. May be empty."""
        return decode(self._curve.note)

    def __len__(self) -> int:
        return int(self._curve.point_count)

    def _point(self, index: int) -> CurvePoint:
        point, metrics = self._curve.points[index], {}
        for i in range(self._curve.metric_count):
            name, found = decode(self._curve.metrics[i]), point.values[i]
            if not math.isnan(found.value):
                unit = self._curve.units[i]
                metrics[name] = Metric(name, found.value, decode(unit), _known(found.half_width),
                                       None, physical(self._curve.physical, unit, found.value))
        return CurvePoint(point.load, decode(lib.fc_outcome_name(point.outcome)), point.simulated,
                          point.asked, point.reliable, _known(point.model), metrics)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._point(i) for i in range(*index.indices(len(self)))]
        return self._point(range(len(self))[index])

    def at(self, load: float) -> CurvePoint:
        """The point of a load that was asked for (or is among the points)."""
        for i in range(len(self)):
            if math.isclose(self._curve.points[i].load, load, rel_tol=1e-9):
                return self._point(i)
        raise KeyError(f"the curve has no point at {load}; curve(at=[{load}]) makes one")

    def records(self) -> list[dict[str, Any]]:
        """A dict per point: load, outcome, simulated, every metric and its half width."""
        rows = []
        for point in self:
            row: dict[str, Any] = {"load": point.load, "outcome": point.outcome,
                                   "simulated": point.simulated, "reliable": point.reliable}
            for metric in point.metrics.values():
                row[metric.name] = metric.value
                row[metric.name + "_half_width"] = metric.half_width
            rows.append(row)
        return rows

    def to_frame(self) -> Frame:
        """records() as a data frame."""
        return frame(self.records())

    def plot(self, metric: str | None = None) -> Plot:
        """A metric (the main one unless another is named) with its band over the load."""
        error, made = new_error(), ffi.new("fc_plot **")
        view = ffi.new("fc_curve_view *")
        name = c_text_or_null(metric, "a metric")
        view.metric = name
        check(lib.fc_curve_plot(self._one, 1, view, error, made), error)
        return Plot._of(ffi.gc(made[0], lib.fc_plot_free))

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_curve_write(self._one, 1, settings, stream))

    def __repr__(self) -> str:
        return f"<Curve of {len(self)} points over {self.key}>"


# ---- sweep ----


class Axes:
    """The axes of a grid as the library wants them, and the memory that they point to."""

    def __init__(self, vary: Mapping[str, Union[str, Iterable[Any]]]) -> None:
        if not isinstance(vary, Mapping):
            raise TypeError(f"vary must be a mapping of keys to values, not {type(vary).__name__}")
        self.count = len(vary)
        self.array = ffi.new("fc_axis[]", self.count)
        self._kept: list[Any] = []
        for axis, (key, values) in zip(self.array, vary.items()):
            if isinstance(values, str):
                self._parse(axis, encode(key, "a key") + b"=" + encode(values, "values"))
            else:
                self._list(axis, encode(key, "a key"), values)

    def _parse(self, axis: Any, text: bytes) -> None:
        error, parsed = new_error(), ffi.new("fc_axis *")
        check(lib.fc_axis_parse(text, error, parsed), error)
        self._kept.append(ffi.gc(parsed, lib.fc_axis_clear))
        axis.key, axis.values, axis.count = parsed.key, parsed.values, parsed.count

    def _list(self, axis: Any, key: bytes, values: Iterable[Any]) -> None:
        if hasattr(values, "tolist"):
            values = values.tolist()
        listed = list(values)
        if all(type(value) is float and math.isfinite(value) for value in listed):
            texts = "\0".join(map(repr, listed)).encode().split(b"\0") if listed else []
        else:
            texts = [encode(yaml(value), "a value") for value in listed]
        if not texts:
            raise InputError(f"{key.decode()[:100]}: there are no values to vary it over")
        if len(key) >= ffi.sizeof(axis.key):
            raise InputError(f"there is no key {key.decode()[:40]!r}...")
        # One block for all texts and one of addresses into it: a grid may have thousands.
        block = ffi.from_buffer(b"\0".join(texts) + b"\0")
        first = int(ffi.cast("uintptr_t", block))
        starts = accumulate((len(text) + 1 for text in texts[:-1]), initial=first)
        pointers = ffi.new("char *[]", len(texts))
        ffi.memmove(pointers, array("Q", starts), ffi.sizeof(pointers))
        axis.key, axis.count, axis.values = key, len(texts), pointers
        self._kept += [block, pointers]


class SweepPoint(NamedTuple):
    """A point of a grid. results: one per method; where there is none, gaps has the reason at the
    same place (empty: the sweep was stopped before it)."""

    settings: dict[str, Any]
    results: list[Result | None]
    gaps: list[str]


class Sweep(Reported, Sequence[SweepPoint]):
    """The points of a grid in order, the last axis running fastest."""

    def __init__(self, sweep: Any) -> None:
        self._sweep = ffi.gc(sweep, lib.fc_sweep_free)

    @property
    def axes(self) -> dict[str, list[Any]]:
        """The values of each key."""
        axes = self._sweep.axes
        return {decode(axes[i].key): [number_or_text(_plain(axes[i].values[j]))
                                      for j in range(axes[i].count)]
                for i in range(self._sweep.axis_count)}

    @property
    def methods(self) -> list[str]:
        """"model" is the default model of each point."""
        return [decode(self._sweep.methods[i]) for i in range(self._sweep.method_count)]

    @property
    def saturation(self) -> float:
        """Of a sweep over the load: where the first model saturates; otherwise not a number."""
        return float(self._sweep.saturation)

    def __len__(self) -> int:
        return int(self._sweep.point_count)

    def _settings(self, index: int) -> dict[str, Any]:
        found = {}
        for i in reversed(range(self._sweep.axis_count)):
            axis = self._sweep.axes[i]
            index, place = divmod(index, axis.count)
            found[decode(axis.key)] = number_or_text(_plain(axis.values[place]))
        return dict(reversed(found.items()))

    def _result(self, index: int) -> Result | None:
        found = self._sweep.results[index]
        return None if found == ffi.NULL else Result(found, None, self._sweep)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        width = self._sweep.method_count
        places = range(at * width, (at + 1) * width)
        return SweepPoint(self._settings(at), [self._result(i) for i in places],
                          [self._gap(i) for i in places])

    def _gap(self, index: int) -> str:
        return decode(self._sweep.gaps[index].reason)

    def records(self) -> list[dict[str, Any]]:
        """A dict per point and method: the varied keys, method, outcome, every metric and, of
        simulations, its half width. Where there is no result, the outcome is None and `reason` is a
        sentence."""
        return list(self._records())

    def _records(self) -> Iterator[dict[str, Any]]:
        for at in range(len(self)):
            settings = self._settings(at)
            for m in range(self._sweep.method_count):
                place = at * self._sweep.method_count + m
                result = self._result(place)
                if result is None:
                    yield {**settings, "method": decode(self._sweep.methods[m]), "outcome": None,
                           "reason": self._gap(place)}
                    continue
                row: dict[str, Any] = {**settings, "method": result.method, "outcome": result.outcome}
                for metric in result.values():
                    row[metric.name] = metric.value
                    if metric.half_width is not None:
                        row[metric.name + "_half_width"] = metric.half_width
                yield row

    def to_frame(self) -> Frame:
        """records() as a data frame."""
        return frame(self.records())

    def plot(self, metric: str | None = None) -> Plot:
        """A metric (the main one unless another is named) over the last numeric axis."""
        error, made = new_error(), ffi.new("fc_plot **")
        name = c_text_or_null(metric, "a metric") if metric else self._sweep.main_metric
        check(lib.fc_sweep_plot(self._sweep, name, error, made), error)
        return Plot._of(ffi.gc(made[0], lib.fc_plot_free))

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_sweep_write(self._sweep, settings, stream))

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} points over {', '.join(self.axes)}>"


def _plain(text: Any) -> str:
    """A YAML value without the quotes of a text."""
    found = decode(text)
    return found[1:-1] if len(found) > 1 and found[0] == found[-1] == '"' else found


# ---- saturate ----


class Saturation(NamedTuple):
    """The load at which a method sees the network saturate; infinite: it never does. A forecast is
    between low and high with 90 %, a simulation settled at the one and not at the other; both equal
    the load where a model alone answers."""

    method: str
    kind: str
    load: float
    low: float
    high: float


class Saturations(Written, Sequence[Saturation]):
    """The saturation loads by each method: models first, then the simulation."""

    def __init__(self, saturations: Any, scenario: Scenario) -> None:
        self._saturations = ffi.gc(saturations, lib.fc_saturation_free)
        self._scenario = scenario
        self._list = [
            Saturation(decode(found.method), "model" if found.kind == lib.FC_MODEL else "simulator",
                       found.load, found.low, found.high)
            for found in takewhile(lambda found: decode(found.method),
                                   (saturations[i] for i in count()))
        ]

    def __len__(self) -> int:
        return len(self._list)

    def __getitem__(self, index: Any) -> Any:
        return self._list[index]

    def of(self, method: str) -> Saturation:
        """By the method of that name."""
        for found in self._list:
            if found.method == method:
                return found
        raise KeyError(f"there is no {method!r}; there are: {', '.join(s.method for s in self)}")

    def to_frame(self) -> Frame:
        """A row per method."""
        return frame([found._asdict() for found in self._list], "method")

    def _write(self, settings: Any, stream: Any) -> int:
        scenarios = ffi.new("fc_scenario *[]", [self._scenario._scenario])
        found = ffi.new("fc_saturation *[]", [self._saturations])
        return int(lib.fc_saturation_write(scenarios, found, 1, settings, stream))

    def __repr__(self) -> str:
        return f"<Saturations {self._list!r}>"


# ---- optimize ----


class Candidate(NamedTuple):
    """A configuration: what was set, the objectives by model, and by simulation if it was."""

    settings: dict[str, Any]
    objective: float
    second: float | None
    simulated: float | None
    half_width: float | None
    survivor: bool  # simulated and not separated from the best


class Optimum(Reported):
    """The best configurations of a grid."""

    def __init__(self, optimum: Any) -> None:
        self._optimum = ffi.gc(optimum, lib.fc_optimum_free)

    def _candidates(self, array: Any, count: int) -> list[Candidate]:
        found = []
        for candidate in (array[i] for i in range(count)):
            settings = {decode(candidate.settings[i].key):
                        number_or_text(_plain(candidate.settings[i].value))
                        for i in range(self._optimum.setting_count)}
            found.append(Candidate(settings, candidate.objective, _known(candidate.second),
                                   _known(candidate.simulated), _known(candidate.half_width),
                                   candidate.survivor))
        return found

    @property
    def candidates(self) -> list[Candidate]:
        """The best first, by the model."""
        return self._candidates(self._optimum.candidates, self._optimum.candidate_count)

    @property
    def front(self) -> list[Candidate]:
        """With a second objective: the Pareto front by the model, by growing objective."""
        return self._candidates(self._optimum.front, self._optimum.front_count)

    @property
    def winner(self) -> Candidate:
        """The best by simulation; by the model if nothing was simulated."""
        found = self.candidates
        if not found:
            raise IndexError("no configuration is valid and meets the conditions")
        return found[int(self._optimum.winner)]

    @property
    def evaluated(self) -> int:
        """Points of the grid."""
        return int(self._optimum.evaluated)

    @property
    def invalid(self) -> int:
        """Points that are no scenario or not covered by the model."""
        return int(self._optimum.invalid)

    @property
    def infeasible(self) -> int:
        """Points that the conditions rule out."""
        return int(self._optimum.infeasible)

    @property
    def confidence(self) -> float:
        """That the winner is the best simulated one, or within the indifference."""
        return float(self._optimum.confidence)

    def to_frame(self) -> Frame:
        """A row per candidate."""
        rows = []
        for candidate in self.candidates:
            row = candidate._asdict()
            rows.append({**row.pop("settings"), **row})
        return frame(rows)

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_optimum_write(self._optimum, settings, stream))

    def __repr__(self) -> str:
        best = self.winner.settings if self._optimum.candidate_count else "none is feasible"
        return f"<Optimum of {self.evaluated} configurations: {best}>"


# ---- explain ----


class Resource(NamedTuple):
    """A channel, queue or port, the share of the time it is used, and the mean wait for it."""

    name: str
    utilisation: float
    wait: float


class Step(NamedTuple):
    """What the metric would be with one value moved."""

    value: Any
    metric: float
    relative: float
    saturation: float


class Lever(NamedTuple):
    """A number of the scenario and what moving it would do. gain: relative improvement by the better
    step; below 0 both are worse."""

    key: str
    value: Any
    kind: str
    elasticity: float
    gain: float
    down: Step | None
    up: Step | None


def _step(step: Any) -> Step | None:
    value = decode(step.value)
    if not value:
        return None
    return Step(number_or_text(value), step.metric, step.relative, step.saturation)


class Explanation(Reported):
    """Where the time goes, and what would help."""

    def __init__(self, explanation: Any, scenario: Scenario) -> None:
        self._explanation = ffi.gc(explanation, lib.fc_explanation_free)
        self._scenario = scenario

    @property
    def result(self) -> Result:
        """With its parts and tables."""
        return Result(self._explanation.result, None, self._explanation)

    @property
    def sentences(self) -> list[str]:
        """The answer in words."""
        return list(self.to_dict()["sentences"])

    @property
    def busiest(self) -> list[Resource]:
        """The busiest first."""
        found = self._explanation.busiest
        return [Resource(decode(found[i].name), found[i].utilisation, found[i].wait)
                for i in range(self._explanation.busiest_count)]

    @property
    def saturation(self) -> float:
        """The load at which the model saturates; not a number for closed traffic."""
        return float(self._explanation.saturation)

    @property
    def carriers(self) -> list[tuple[Lever, Step | None]]:
        """The levers that raise the saturation load, and by which step; the most helpful first."""
        levers, found = self.levers, self._explanation.carriers
        chosen = [found[i] for i in range(self._explanation.carrier_count)]
        return [(levers[one.lever], levers[one.lever].up if one.upward else levers[one.lever].down)
                for one in chosen]

    @property
    def levers(self) -> list[Lever]:
        """The most helpful first."""
        found = self._explanation.levers
        return [Lever(decode(lever.key), number_or_text(decode(lever.value)),
                      decode(lib.fc_lever_kind_name(lever.kind)), lever.elasticity, lever.gain,
                      _step(lever.down), _step(lever.up))
                for lever in (found[i] for i in range(self._explanation.lever_count))]

    def to_frame(self) -> Frame:
        """A row per lever."""
        rows = []
        for lever in self.levers:
            row = lever._asdict()
            for way in ("down", "up"):
                step = row.pop(way)
                row[way], row[way + "_relative"] = (
                    (step.value, step.relative) if step else (None, None)
                )
            rows.append(row)
        return frame(rows, "key")

    def _write(self, settings: Any, stream: Any) -> int:
        return int(lib.fc_explanation_write(self._explanation, settings, stream))

    def __repr__(self) -> str:
        return f"<Explanation of {self._scenario.name!r}>"
