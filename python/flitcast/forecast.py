"""One forecast of a network: made once, asked at as many loads as wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import ffi, lib
from ._text import c_text_or_null
from .errors import UnsupportedError, check, decode, new_error
from .results import Result

if TYPE_CHECKING:
    from .scenario import Scenario


class LoadRange(NamedTuple):
    """A load, and between which loads it is with 90 %; both equal it where a model alone answers."""

    load: float
    low: float
    high: float


class ForecastPoint(NamedTuple):
    """What a forecast says of one load: `value` is the scenario's main metric, between low and high
    with 90 %. NaN: not known."""

    load: float
    outcome: str
    value: float
    low: float
    high: float
    p50: float
    p95: float
    p99: float
    throughput: float


class ForecastArrays(NamedTuple):
    """The numbers of ForecastPoint, each as an array of NumPy with the shape of the loads."""

    load: Any
    outcome: Any
    value: Any
    low: Any
    high: Any
    p50: Any
    p95: Any
    p99: Any
    throughput: Any


class Forecast:
    """A curve over the load (closed traffic: the think time).

    >>> import flitcast as fc
    >>> mesh = fc.Scenario(network={"topology": "mesh", "radix": [8, 8], "virtual_channels": 4,
    ...                             "buffer": 8, "router_delay": [1, 1, 1, 1]},
    ...                    traffic={"rate": 0.01, "message_flits": 5})
    >>> forecast = mesh.forecast()
    >>> light, heavy = forecast.points([0.01, 0.05])
    >>> light.value < heavy.value < forecast.points([0.09])[0].value
    True
    """

    def __init__(self, scenario: Scenario, model: str | None = None) -> None:
        error, made = new_error(), ffi.new("fc_forecast **")
        name = c_text_or_null(model, "a model's name")
        check(lib.fc_forecast_create(scenario._scenario, name, error, made), error)
        self._forecast = ffi.gc(made[0], lib.fc_forecast_free)
        self._scenario = scenario  # must outlive it
        self._model = model

    @property
    def method(self) -> str:
        """The name of its model."""
        return decode(lib.fc_forecast_method(self._forecast))

    @property
    def saturation(self) -> LoadRange:
        """The load at which the network saturates. Infinite: it never does; NaN: closed traffic."""
        error, found = new_error(), ffi.new("fc_load_range *")
        check(lib.fc_forecast_saturation(self._forecast, error, found), error)
        return LoadRange(found.load, found.low, found.high)

    def points(self, loads: Iterable[float]) -> list[ForecastPoint]:
        """The numbers at each load, in microseconds each where the correction applies."""
        at = [float(load) for load in loads]
        return [self._point(load, p) for load, p in zip(at, self._ask(at, len(at)))]

    def _ask(self, loads: Any, count: int) -> Any:
        """loads: a list, or an array of C."""
        error, made = new_error(), ffi.new("fc_forecast_point[]", count)
        check(lib.fc_forecast_points(self._forecast, loads, count, error, made), error)
        return made

    def arrays(self, loads: Any) -> ForecastArrays:
        """The same for an array of loads, as arrays of NumPy: one call for all of them.

            mesh.forecast().arrays(numpy.linspace(0.001, 0.05, 100)).value
        """
        try:
            import numpy
        except ImportError:
            raise UnsupportedError(
                "arrays need NumPy, which is not installed (on Debian: apt install python3-numpy); "
                "points() gives the same without it"
            ) from None
        at = numpy.ascontiguousarray(loads, dtype=float)
        made = self._ask(ffi.cast("double *", ffi.from_buffer(at)), at.size)
        names = ForecastArrays._fields[2:]
        layout = numpy.dtype({
            "names": ["outcome", *names],
            "formats": [numpy.int32] + [float] * len(names),
            "offsets": [ffi.offsetof("fc_forecast_point", name) for name in ("outcome", *names)],
            "itemsize": ffi.sizeof("fc_forecast_point"),
        })
        rows = numpy.frombuffer(ffi.buffer(made), layout, at.size).reshape(at.shape)
        words = [decode(lib.fc_outcome_name(i)) for i in range(lib.FC_OUTCOME_NOT_CONVERGED + 1)]
        return ForecastArrays(at, numpy.array(words)[rows["outcome"]],
                              *(rows[name].copy() for name in names))

    @staticmethod
    def _point(load: float, p: Any) -> ForecastPoint:
        return ForecastPoint(load, decode(lib.fc_outcome_name(p.outcome)), p.value, p.low, p.high,
                             p.p50, p.p95, p.p99, p.throughput)

    def at(self, load: float) -> Result:
        """All that predict() says, at this load."""
        error, made = new_error(), ffi.new("fc_result **")
        check(lib.fc_forecast_at(self._forecast, float(load), error, made), error)
        return Result(made[0], self._scenario)

    def __reduce__(self) -> Any:
        return type(self), (self._scenario, self._model)

    def __repr__(self) -> str:
        return f"<Forecast by {self.method}, saturates at {self.saturation.load:.4g}>"
